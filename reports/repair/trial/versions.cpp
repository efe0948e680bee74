// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/trial/versions.hpp"

#include <regex>

namespace fletcher::reports {
namespace {

/// "lock 'a' + 8 bytes" of what is said of it.
std::string lock_in(const std::string& message) {
  static const std::regex words(R"(\bthe ((?:[a-z]+ )?(?:lock|mutex) (?:'[^']*'(?: \+ \d+ bytes)?|0x[0-9a-f]+)))");
  std::smatch match;
  return std::regex_search(message, match, words) ? match[1].str() : std::string();
}

} // namespace

std::vector<TracedStep> steps_of(const Diagnostic& finding) {
  std::vector<TracedStep> out;
  // A deadlock that came about has words for each of its steps.
  const bool has_words = (finding.rule == Rule::dependence_cycle && !finding.predicted) ||
                         finding.message.find("that it has set already") != std::string::npos;
  if (!has_words) out.push_back({finding.place, finding.stack, {}, lock_in(finding.message)});
  for (const Note& note : finding.notes)
    if (note.kind == Note::Kind::step) out.push_back({note.place, note.stack, note.message, lock_in(note.message)});
  return out;
}

std::optional<std::uint32_t> Version::line(std::uint32_t recorded) const {
  return edited_ ? source_.now(recorded) : std::optional(recorded);
}

std::optional<Route> Version::route(const TracedStep& step) const {
  Route out;
  const auto add = [&](const SourcePlace& place) {
    if (place.file != code().file()) return true; // it is in a function of another file for a while
    const auto now = line(place.line);
    if (now) out.push_back(*now);
    return now.has_value();
  };
  if (step.stack.empty() && !add(step.place)) return std::nullopt;
  for (auto frame = step.stack.rbegin(); frame != step.stack.rend(); ++frame)
    if (!add(frame->place)) return std::nullopt;
  return out.empty() ? std::nullopt : std::optional(std::move(out));
}

std::optional<std::vector<Way>> Version::ways(const Route& route, const std::vector<Route>& others,
                                              const std::vector<std::string_view>& words, bool to_end) const {
  const auto course = course_of(code(), route);
  if (!course) return std::nullopt;
  std::vector<Route> of_same;
  for (const Route& one : others)
    if (auto other = course_of(code(), one); other && other->body.begin == course->body.begin)
      of_same.push_back(std::move(other->route));
  return reports::ways(code(), *course, of_same, words, to_end);
}

} // namespace fletcher::reports
