// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads suppression files and baselines.
#include "reports/filters/suppressions.hpp"

#include "reports/document/words.hpp"
#include "reports/explanation/rule_catalogue.hpp"
#include "reports/forms/sarif.hpp"
#include "reports/source/directives.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace fletcher::reports {
Result<Suppressions> Suppressions::parse(std::string_view text, const std::string& name) {
  Suppressions out;
  std::string rules = "*";
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[' && line.back() == ']') {
      rules = line.substr(1, line.size() - 2);
      continue;
    }
    const auto colon = std::min(line.find(':'), line.size());
    const std::string_view kind = line.substr(0, colon);
    const std::string_view pattern = trimmed(line.substr(std::min(colon + 1, line.size())));
    const bool known = kind == "fun" || kind == "src" || kind == "var";
    if (!known || pattern.empty())
      return Error{name + ":" + std::to_string(number) + ": expected [rule], fun:, src: or var: with a pattern"};
    const What what = kind == "fun" ? What::function : kind == "src" ? What::source : What::variable;
    out.entries_.push_back({rules, what, std::string(pattern)});
  }
  return out;
}

bool Suppressions::matches(const Diagnostic& diagnostic, const SourceText& sources) const {
  std::vector<const Frame*> frames;
  for (const Frame& frame : diagnostic.stack) frames.push_back(&frame);
  for (const Note& note : diagnostic.notes)
    if (note.kind == Note::Kind::other_access || note.kind == Note::Kind::step)
      for (const Frame& frame : note.stack) frames.push_back(&frame);
  const auto any_frame = [&](auto predicate) {
    return std::any_of(frames.begin(), frames.end(), [&](const Frame* frame) { return predicate(*frame); });
  };
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    if (!glob_matches(entry.rules, rule_text(diagnostic.rule).id)) return false;
    switch (entry.what) {
    case What::variable:
      return glob_matches(entry.pattern, diagnostic.variable);
    case What::function:
      return any_frame([&](const Frame& frame) { return glob_matches(entry.pattern, frame.function.name); });
    case What::source:
      return any_frame([&](const Frame& frame) {
        return frame.place.known() && (glob_matches(entry.pattern, frame.place.file) ||
                                       glob_matches(entry.pattern, sources.shown(frame.place.file)));
      });
    }
    return false;
  });
}

Result<std::multiset<std::string>> read_baseline(std::string_view sarif, const std::string& name) {
  using Json = nlohmann::json;
  try {
    const Json log = Json::parse(sarif);
    std::multiset<std::string> out;
    for (const Json& run : log.at("runs"))
      for (const Json& result : run.value("results", Json::array())) {
        const Json fingerprints = result.value("partialFingerprints", Json::object());
        if (const auto found = fingerprints.find(fingerprint_name); found != fingerprints.end())
          out.insert(found->get<std::string>());
      }
    return out;
  } catch (const std::exception&) {
    return Error{name + ": not a SARIF file"};
  }
}

} // namespace fletcher::reports
