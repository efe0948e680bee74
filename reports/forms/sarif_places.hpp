// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places as SARIF wants them: URIs, regions with UTF-16 columns, snippets, and the table of artifacts.
#pragma once

#include "reports/source/source_text.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace fletcher::reports {

using Json = nlohmann::ordered_json;

inline constexpr const char* source_root_id = "%SRCROOT%";

/// "/a b/c" as "file:///a%20b/c/".
std::string folder_uri(const std::string& path);

class SarifPlaces {
public:
  explicit SarifPlaces(SourceText& sources) : sources_(sources) {}

  /// An artifactLocation; remembers the file for artifacts().
  Json artifact(const std::string& file);
  /// A location. Without a known place it is the binary of the innermost frame, with the code's address.
  /// `context`: with the lines around it.
  Json location(const SourcePlace& place, const std::vector<Frame>& stack, bool context);
  const Json& artifacts() const noexcept { return artifacts_; }

private:
  Json region(const SourcePlace& place);
  Json context_region(const SourcePlace& place);

  SourceText& sources_;
  std::map<std::string, std::size_t> index_;
  Json artifacts_ = Json::array();
};

} // namespace fletcher::reports
