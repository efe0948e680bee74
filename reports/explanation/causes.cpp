// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which diagnostics have the same cause, and what is left of those that do not lead.
#include "reports/explanation/causes.hpp"

#include "reports/explanation/fingerprint.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace fletcher::reports {
namespace {

const Note* note_of(const Diagnostic& diagnostic, Note::Kind kind) {
  const auto note =
      std::find_if(diagnostic.notes.begin(), diagnostic.notes.end(), [&](const Note& n) { return n.kind == kind; });
  return note == diagnostic.notes.end() ? nullptr : &*note;
}

/// Accesses that nothing excludes from each other: what helps is a property of the variable, not of a place.
bool is_about_exclusion(Cause cause) {
  switch (cause) {
  case Cause::missing_mutual_exclusion:
  case Cause::missing_private_or_reduction:
  case Cause::different_locks:
  case Cause::one_side_locked:
  case Cause::not_atomic:
    return true;
  default:
    return false;
  }
}

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
};

/// No words where nothing says that another diagnostic has the same cause.
CauseKey cause_key(const Diagnostic& diagnostic) {
  const Note* const fix = note_of(diagnostic, Note::Kind::fix);
  if (fix != nullptr && !fix->stack.empty() && fix->place.known()) return {{"change", fix->message}, {fix->place}};
  if (diagnostic.rule == Rule::missing_taskwait && diagnostic.place.known()) return {{"outlives"}, {diagnostic.place}};
  if (diagnostic.rule != Rule::data_race || diagnostic.cause == Cause::simd_lanes) return {};
  const Note* const object = note_of(diagnostic, Note::Kind::object);
  if (diagnostic.variable.empty() && (object == nullptr || !object->place.known())) return {};
  CauseKey key{{"variable", diagnostic.variable}, {}};
  if (object != nullptr) key.places.push_back(object->place);
  if (is_about_exclusion(diagnostic.cause)) {
    key.words.emplace_back("exclusion");
    return key;
  }
  key.words.push_back("order " + std::to_string(static_cast<int>(diagnostic.cause)));
  std::vector<SourcePlace> creations;
  for (const Note& note : diagnostic.notes)
    if (note.kind == Note::Kind::creation) creations.push_back(note.place);
  std::sort(creations.begin(), creations.end(), [](const SourcePlace& a, const SourcePlace& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  });
  key.places.insert(key.places.end(), creations.begin(), creations.end());
  return key;
}

/// "write of 4 bytes, not ordered with the read of 4 bytes at line 25": what the leader says of them all is left out.
std::string short_message(const Diagnostic& diagnostic, const SourceText& sources) {
  if (diagnostic.rule != Rule::data_race || diagnostic.participants.size() < 2) {
    const auto title = diagnostic.message.find(": ");
    return title == std::string::npos ? diagnostic.message : diagnostic.message.substr(title + 2);
  }
  const Participant &here = diagnostic.participants[0], &there = diagnostic.participants[1];
  std::string out = here.act + ", not ordered with the " + there.act;
  if (here.place == there.place || !there.place.known()) return out + " on the same line";
  out += here.place.file == there.place.file ? " at line " : " at " + sources.shown(there.place.file) + ":";
  return out + std::to_string(there.place.line);
}

} // namespace

std::vector<Diagnostic> grouped_by_cause(std::vector<Diagnostic> diagnostics, SourceText& sources) {
  using GroupKey = std::tuple<Rule, bool, bool, CauseKey>;
  std::map<GroupKey, std::size_t> leaders;
  std::vector<Diagnostic> out;
  for (Diagnostic& diagnostic : diagnostics) {
    CauseKey key = cause_key(diagnostic);
    if (key.words.empty()) {
      out.push_back(std::move(diagnostic));
      continue;
    }
    const auto print = cause_fingerprint(diagnostic.rule, key.words, key.places, sources);
    const auto [entry, fresh] = leaders.try_emplace(
        {diagnostic.rule, diagnostic.severity == Severity::error, diagnostic.suppressed, std::move(key)}, out.size());
    if (fresh) {
      diagnostic.fingerprint = print;
      out.push_back(std::move(diagnostic));
      continue;
    }
    Diagnostic& leader = out[entry->second];
    if (leader.predicted && !diagnostic.predicted) { // what happened says more
      diagnostic.fingerprint = print;
      diagnostic.also = std::exchange(leader.also, {});
      std::swap(leader, diagnostic);
    }
    leader.also.push_back(
        {short_message(diagnostic, sources), std::move(diagnostic.stack), diagnostic.place, diagnostic.count});
  }
  return out;
}

} // namespace fletcher::reports
