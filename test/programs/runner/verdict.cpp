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
        if (!any_error_is(race)) out_.push_back("missing: RACE(" + race.name + ") between lines " + list(race.lines));
    for (const auto& [rule, line] : expected_.findings)
      if (!any_finding_at(rule, line)) out_.push_back("missing: " + rule + " at line " + std::to_string(line));
    return std::move(out_);
  }

private:
  bool in_program(const Place& place) const {
    return std::filesystem::path(place.file).filename() == expected_.file.filename();
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
    const auto has = [&](unsigned line) {
      return std::find(race.lines.begin(), race.lines.end(), line) != race.lines.end();
    };
    if (race.group) return has(a) && has(b);
    return (race.lines[0] == a && race.lines[1] == b) || (race.lines[0] == b && race.lines[1] == a);
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

  bool finding_is_expected(const Reported& one) const {
    const auto fits = [&](const auto& mark) { return mark.first == one.rule && touches(one, mark.second); };
    return std::any_of(expected_.findings.begin(), expected_.findings.end(), fits) ||
           std::any_of(expected_.allowed_findings.begin(), expected_.allowed_findings.end(), fits);
  }

  bool any_finding_at(const std::string& rule, unsigned line) const {
    return std::any_of(reported_.begin(), reported_.end(),
                       [&](const auto& one) { return one.rule == rule && touches(one, line); });
  }

  static std::string other_side(const Reported& one) {
    if (one.notes.empty()) return "";
    return " (with " + one.notes.front().file + ":" + std::to_string(one.notes.front().line) + ")";
  }

  static std::string list(const std::vector<unsigned>& lines) {
    std::string out;
    for (const unsigned line : lines) out += (out.empty() ? "" : ", ") + std::to_string(line);
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
