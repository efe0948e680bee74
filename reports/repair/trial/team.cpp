// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constructs of a team that its threads come to: on all ways through the region the same ones, in one order.
#include "reports/repair/source/directives/team_construct.hpp"
#include "reports/repair/trial/versions.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

std::optional<Course> region_of(const Diagnostic& finding, const Version& version) {
  std::vector<TracedStep> places = steps_of(finding);
  for (const Note& note : finding.notes)
    if (note.kind == Note::Kind::creation) places.push_back({note.place, {}, {}, {}});
  for (const TracedStep& step : places) {
    const auto route = version.route(step);
    if (!route) continue;
    auto directive = DirectiveText::at(version.code(), route->back());
    if (!directive || !directive->is("parallel")) {
      const auto course = course_of(version.code(), *route);
      directive = course ? course->construct : std::nullopt;
    }
    const auto body = directive && directive->is("parallel") ? directive->body(version.code()) : std::nullopt;
    if (body) return Course{*body, *directive, {}};
  }
  return std::nullopt;
}

/// What of a way is the team's, by line.
std::vector<std::uint32_t> met_on(const Way& way, const Code& code) {
  std::vector<std::uint32_t> out;
  for (const Act& act : way)
    if ((act.kind == Act::Kind::meets || act.kind == Act::Kind::enters) && team_construct_at(act.line, code))
      out.push_back(act.line);
  return out;
}

/// A construct of a team in a task, which has none.
std::optional<bool> has_no_team(const Diagnostic& finding, const Version& version) {
  const auto line = version.line(finding.place.line);
  if (!line || finding.place.file != version.code().file()) return std::nullopt;
  return team_construct_at(*line, version.code()).has_value();
}

} // namespace

std::optional<bool> team_parts(const Diagnostic& finding, const Version& version) {
  if (finding.message.find("not for a task that one of them executes") != std::string::npos)
    return has_no_team(finding, version);
  const auto region = region_of(finding, version);
  const auto found = region ? ways(version.code(), *region, {}, {}, true) : std::nullopt;
  if (!found || found->empty()) return std::nullopt;
  const auto first = met_on(found->front(), version.code());
  return std::ranges::any_of(*found, [&](const Way& way) { return met_on(way, version.code()) != first; });
}

} // namespace fletcher::reports
