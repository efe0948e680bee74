// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trials of findings that are not about accesses: what was recorded is gone through again, in the text as it is and as
// edits leave it. The finding has to come about in the first, as it did in the run, and not in the second.
#pragma once

#include "reports/repair/source/edited_source.hpp"
#include "reports/repair/source/ways.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

/// A step of a finding: a place that a task or thread reached, and the step's message.
struct TracedStep {
  SourcePlace place;
  std::vector<Frame> stack;
  std::string message; ///< empty where it is the finding's own
  std::string lock;    ///< "lock 'a'", as all steps call the same one; empty where it has no name
};
std::vector<TracedStep> steps_of(const Diagnostic& finding);

/// The text with the edits or without them.
class Version {
public:
  Version(const EditedSource& source, bool edited) : source_(source), edited_(edited) {}

  const Code& code() const noexcept { return edited_ ? source_.after() : source_.before(); }
  Codes& codes() const noexcept { return edited_ ? source_.edited() : source_.unedited(); }
  Version unedited() const { return {source_, false}; }
  std::optional<std::uint32_t> line(std::uint32_t recorded) const;
  /// How one comes to a recorded place; nothing where that is gone, or is in another file.
  std::optional<Route> route(const TracedStep& step) const;
  /// The ways to the place at which the route ends, or to the end of what it is in. `others` are further places at
  /// which the same thread or task has been.
  std::optional<std::vector<Way>> ways(const Route& route, const std::vector<Route>& others,
                                       const std::vector<std::string_view>& words, bool to_end = false) const;

private:
  const EditedSource& source_;
  bool edited_;
};

// ---- by rule, a file for each: whether the finding comes about; nothing where the text does not tell
// -----------------------------------------------------------------------------------------------------

std::optional<bool> locks_make_a_circle(const Diagnostic& finding, const Version& version);
std::optional<bool> lock_is_misused(const Diagnostic& finding, const Version& version);
/// Who sets it at a place ends without having unset it.
std::optional<bool> lock_stays_set(const TracedStep& step, const Version& version);
std::optional<bool> waits_for_ever(const Diagnostic& finding, const Version& version);
std::optional<bool> team_parts(const Diagnostic& finding, const Version& version);
/// Of a race whose edits change statements.
std::optional<bool> accesses_meet(const Diagnostic& race, const Version& version);
/// Of a race with a pending operation of MPI.
std::optional<bool> operation_is_pending(const Diagnostic& race, const Version& version);
/// Of a race with data that is set where it is first needed.
std::optional<bool> is_read_uninitialised(const Diagnostic& race, const Version& version);
std::optional<bool> mapping_fails(const Diagnostic& finding, const Version& version);

} // namespace fletcher::reports
