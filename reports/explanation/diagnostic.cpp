// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which frames are shown, which diagnostics are the same, in which order they come, and how many they are.
#include "reports/explanation/diagnostic.hpp"

#include "reports/document/words.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace fletcher::reports {
namespace {

std::string binary_place(const std::vector<Frame>& stack) {
  if (stack.empty()) return "unknown";
  const Frame& frame = stack.front();
  if (frame.module.empty()) return hexadecimal(frame.offset);
  return one_line(frame.module.substr(frame.module.rfind('/') + 1)) + "+" + hexadecimal(frame.offset);
}

/// file:line where known; else the code address, so that distinct places stay distinct.
std::string merge_place(const SourcePlace& place, const std::vector<Frame>& stack) {
  return place.known() ? place.file + ":" + std::to_string(place.line) : binary_place(stack);
}

/// What makes a diagnostic what it is: its places, in an order that does not depend on which access came first, and the
/// variable. What is suppressed stays apart.
using MergeKey = std::tuple<Rule, bool, std::string, std::vector<std::string>>;
MergeKey merge_key(const Diagnostic& diagnostic) {
  std::vector<std::string> places{merge_place(diagnostic.place, diagnostic.stack)};
  for (const Note& note : diagnostic.notes)
    if (note.kind == Note::Kind::other_access || note.kind == Note::Kind::step)
      places.push_back(merge_place(note.place, note.stack));
  std::sort(places.begin(), places.end());
  return {diagnostic.rule, diagnostic.suppressed, diagnostic.variable, std::move(places)};
}

} // namespace

bool is_system_header(const std::string& file) {
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") ||
         file.starts_with("/usr/local/include/") || file.find("/include/c++/") != std::string::npos ||
         file.ends_with("/fletcher/fletcher.f90"); // the annotations
}

// libstdc++ 12 releases the lock bit of a std::atomic<std::shared_ptr> by a relaxed operation. By C++'s memory model
// that orders nothing, so it is a race, but the program can do nothing about it.
bool is_of_the_library(const Diagnostic& diagnostic) {
  const auto in_its_lock = [](const std::vector<Frame>& stack) {
    for (const Frame& frame : stack) {
      if (!is_system_header(frame.place.file)) return false;
      if (frame.place.file.ends_with("/bits/shared_ptr_atomic.h")) return true;
    }
    return false;
  };
  return diagnostic.rule == Rule::data_race && in_its_lock(diagnostic.stack) &&
         std::any_of(diagnostic.notes.begin(), diagnostic.notes.end(), [&](const Note& note) {
           return note.kind == Note::Kind::other_access && in_its_lock(note.stack);
         });
}

std::vector<Frame> worth_showing(const std::vector<Frame>& frames) {
  std::vector<Frame> out;
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (i + 1 == frames.size() || !is_system_header(frames[i].place.file) ||
        !is_system_header(frames[i + 1].place.file))
      out.push_back(frames[i]);
  return out;
}

std::string frame_name(const Frame& frame) {
  UserFunction function = frame.function;
  function.name = short_name(one_line(function.name));
  return shown_name(function);
}

std::string_view level_words(Level level) {
  switch (level) {
  case Level::graph:
    return "graph (tasks, dependences and locks; no memory accesses)";
  case Level::tsan:
    return "tsan (memory accesses as ThreadSanitizer sees them)";
  case Level::native:
    return "native (memory accesses of all instrumented code)";
  }
  return "unknown";
}

std::string times_seen(Rule rule, std::uint64_t count) {
  return (rule == Rule::data_race ? "seen at least " : "seen ") + std::to_string(count) + " times";
}

std::string fix_with_line(const Note& fix, const SourcePlace& seen_from) {
  constexpr std::string_view begin = "fix: ";
  const SourcePlace& place = fix.place;
  const bool elsewhere = place.known() && (place.file != seen_from.file || place.line != seen_from.line);
  if (!elsewhere || !fix.message.starts_with(begin)) return fix.message;
  const std::string file = place.file == seen_from.file
                               ? std::string("at")
                               : "in " + one_line(place.file.substr(place.file.rfind('/') + 1)) + " at";
  return "fix " + file + " line " + std::to_string(place.line) + ": " + fix.message.substr(begin.size());
}

std::string total_words(const std::vector<Diagnostic>& diagnostics) {
  const auto number_of = [&](auto predicate) {
    return static_cast<std::uint64_t>(std::count_if(diagnostics.begin(), diagnostics.end(), predicate));
  };
  const auto errors = number_of([](const auto& d) { return d.counts() && d.severity == Severity::error; });
  const auto warnings = number_of([](const auto& d) { return d.counts() && d.severity == Severity::warning; });
  const auto suppressed = number_of([](const auto& d) { return d.suppressed; });
  const auto known = number_of([](const auto& d) { return !d.suppressed && d.novelty == Novelty::unchanged; });
  const auto notes = number_of([](const auto& d) { return d.counts() && d.severity == Severity::note; });
  std::string out = plural(errors, "error") + ", " + plural(warnings, "warning");
  if (notes != 0) out += ", " + plural(notes, "note");
  if (suppressed != 0) out += ", " + std::to_string(suppressed) + " suppressed";
  if (known != 0) out += ", " + std::to_string(known) + " known from the baseline";
  return out;
}

std::string shown_file(const SourceText& sources, const SourcePlace& place, const std::vector<Frame>& stack) {
  return place.known() ? one_line(sources.shown(place.file)) : binary_place(stack);
}

const Frame* frame_of_interest(const std::vector<Frame>& stack) {
  for (const Frame& frame : stack)
    if (frame.place.known() && !is_system_header(frame.place.file)) return &frame;
  for (const Frame& frame : stack)
    if (frame.place.known()) return &frame;
  return stack.empty() ? nullptr : &stack.front();
}

void add_occurrences(Diagnostic& to, std::uint64_t count, const std::vector<std::uint32_t>& runs) {
  to.count += count;
  std::vector<std::uint32_t> all;
  std::set_union(to.runs.begin(), to.runs.end(), runs.begin(), runs.end(), std::back_inserter(all));
  to.runs = std::move(all);
}

std::vector<Diagnostic> merged(std::vector<Diagnostic> diagnostics) {
  std::map<MergeKey, std::size_t> seen;
  std::vector<Diagnostic> out;
  for (Diagnostic& diagnostic : diagnostics) {
    const auto [entry, fresh] = seen.try_emplace(merge_key(diagnostic), out.size());
    if (fresh) {
      out.push_back(std::move(diagnostic));
      continue;
    }
    Diagnostic& first = out[entry->second];
    add_occurrences(diagnostic, first.count, first.runs);
    add_occurrences(first, diagnostic.count - first.count, diagnostic.runs);
    // An error says more than a warning, and what happened says more than what was predicted. What helps between teams
    // helps within one.
    const auto strength = [](const Diagnostic& d) { return std::tuple(d.severity, d.predicted, !d.between_teams); };
    if (strength(diagnostic) < strength(first)) first = std::move(diagnostic);
  }
  std::sort(out.begin(), out.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.severity, a.place.file, a.place.line, a.place.column, a.rule, a.message) <
           std::tie(b.severity, b.place.file, b.place.line, b.place.column, b.rule, b.message);
  });
  return out;
}

} // namespace fletcher::reports
