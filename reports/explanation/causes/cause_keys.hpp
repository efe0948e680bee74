// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a diagnostic has in common with others of the same cause, as keys that can be compared.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <compare>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fletcher::reports {

/// A cause in words that two diagnostics share if it is one, and the place that its fingerprint is made of.
struct CauseKey {
  std::vector<std::string> words;
  std::vector<SourcePlace> places;

  auto operator<=>(const CauseKey& other) const {
    const auto lines = [](const CauseKey& key) {
      std::vector<std::pair<std::string, std::uint32_t>> out;
      for (const SourcePlace& place : key.places) out.emplace_back(place.file, place.line);
      return out;
    };
    return std::tuple(words, lines(*this)) <=> std::tuple(other.words, lines(other));
  }
  bool operator==(const CauseKey& other) const { return (*this <=> other) == 0; }
};

/// What a diagnostic can share with others.
struct Causes {
  std::vector<CauseKey> keys = {};             ///< findings with an equal one are joined
  std::optional<CauseKey> name = std::nullopt; ///< what its fingerprint is made of; without: the first key
  std::vector<CauseKey> consequence_of = {};   ///< shared with those that have one of them as a key
  std::vector<CauseKey> late_use_of = {};      ///< the same, of a group that has a key of each member
};

/// None where nothing says that another diagnostic has the same cause.
Causes causes_of(const Diagnostic& diagnostic);

/// Where the two tasks of a race, or of a pair of depend clauses, were created, whichever comes first.
std::vector<SourcePlace> task_places(const Diagnostic& diagnostic);

/// The first of that kind; null where there is none.
const Note* note_of(const Diagnostic& diagnostic, Note::Kind kind);

} // namespace fletcher::reports
