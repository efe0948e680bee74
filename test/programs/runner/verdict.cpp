// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of comparison, as ../README.md states them.
#include "verdict.hpp"

#include <algorithm>
#include <set>

namespace fletcher::programs {
namespace {

class Comparison {
public:
  Comparison(const Expectation& expected, const std::vector<Reported>& reported)
      : expected_(expected), reported_(reported) {}

  std::vector<std::string> run(Level level) {
    for (const auto& one : reported_)
      if (one.rule == "data-race" ? !race_is_expected(one) : !finding_is_expected(one))
        out_.push_back("not expected: " + one.text + other_side(one));
    if (level == Level::native)
      for (const auto& race : expected_.races)
        if (!any_error_is(race))
          out_.push_back("missing: RACE(" + race.name + ") between " + list(race.first) + " and " + list(race.second));
    for (const auto& finding : expected_.findings)
      if (!any_is(finding)) out_.push_back("missing: " + finding.rule + " at " + list(finding.lines));
    for (const auto& [name, line] : expected_.names)
      for (const auto& one : reported_)
        if (has_to_name(one, line) && one.all.find("'" + name + "'") == std::string::npos)
          out_.push_back("does not name '" + name + "': " + one.text);
    return std::move(out_);
  }

private:
  bool in_program(const Place& place) const {
    return std::filesystem::path(place.file).filename() == expected_.file.filename();
  }

  static bool has(const std::vector<unsigned>& lines, unsigned line) {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  }

  /// The two lines of a race, or nothing if one is not in the program.
  bool lines_of(const Reported& one, unsigned& a, unsigned& b) const {
    if (one.notes.empty() || !in_program(one.place) || !in_program(one.notes.front())) return false;
    a = one.place.line;
    b = one.notes.front().line;
    return true;
  }

  bool is(const Reported& one, const ExpectedRace& race) const {
    unsigned a = 0, b = 0;
    if (!lines_of(one, a, b)) return false;
    return (has(race.first, a) && has(race.second, b)) || (has(race.first, b) && has(race.second, a));
  }

  bool race_is_expected(const Reported& one) const {
    if (std::any_of(expected_.races.begin(), expected_.races.end(), [&](const auto& race) { return is(one, race); }))
      return true;
    unsigned a = 0, b = 0;
    if (!lines_of(one, a, b)) return false;
    return std::any_of(expected_.allowed_races.begin(), expected_.allowed_races.end(),
                       [&](const auto& group) { return group.second.contains(a) && group.second.contains(b); });
  }

  bool any_error_is(const ExpectedRace& race) const {
    return std::any_of(reported_.begin(), reported_.end(),
                       [&](const auto& one) { return one.error && one.rule == "data-race" && is(one, race); });
  }

  bool touches(const Reported& one, unsigned line) const {
    const auto here = [&](const Place& place) { return in_program(place) && place.line == line; };
    return here(one.place) || std::any_of(one.notes.begin(), one.notes.end(), here);
  }

  /// A race is at its two ends, not also at the lines of its tasks.
  bool has_to_name(const Reported& one, unsigned line) const {
    unsigned a = 0, b = 0;
    return one.rule == "data-race" ? lines_of(one, a, b) && (a == line || b == line) : touches(one, line);
  }

  bool finding_is_expected(const Reported& one) const {
    return std::any_of(expected_.findings.begin(), expected_.findings.end(),
                       [&](const auto& finding) { return is(one, finding); }) ||
           std::any_of(expected_.allowed_findings.begin(), expected_.allowed_findings.end(),
                       [&](const auto& mark) { return mark.first == one.rule && touches(one, mark.second); });
  }

  bool is(const Reported& one, const ExpectedFinding& finding) const {
    return one.rule == finding.rule &&
           std::any_of(finding.lines.begin(), finding.lines.end(), [&](unsigned line) { return touches(one, line); });
  }

  bool any_is(const ExpectedFinding& finding) const {
    return std::any_of(reported_.begin(), reported_.end(), [&](const auto& one) { return is(one, finding); });
  }

  static std::string other_side(const Reported& one) {
    if (one.notes.empty()) return "";
    return " (with " + one.notes.front().file + ":" + std::to_string(one.notes.front().line) + ")";
  }

  static std::string list(const std::vector<unsigned>& lines) {
    std::string out = lines.size() == 1 ? "line " : "lines ";
    for (const unsigned& line : lines) out += (&line == lines.data() ? "" : ", ") + std::to_string(line);
    return out;
  }

  const Expectation& expected_;
  const std::vector<Reported>& reported_;
  std::vector<std::string> out_;
};

} // namespace

std::vector<std::string> differences(const Expectation& expected, const std::vector<Reported>& reported, Level level) {
  return Comparison(expected, reported).run(level);
}

} // namespace fletcher::programs
