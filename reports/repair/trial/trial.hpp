// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries a change on what the run recorded: the order, the exclusion or the copy that the edits add is put between the
// two sides of a finding, and the finding is judged again.
#pragma once

#include "reports/explanation/diagnostic.hpp"
#include "reports/repair/source/edited_source.hpp"
#include "reports/repair/trial/change.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fletcher::reports {

class Version;

enum class Verdict : std::uint8_t {
  removed, ///< the finding would not have been made
  kept,    ///< nothing of what the edits add stands between its two sides
  unknown, ///< the edits change more than order, exclusion and copies, or the finding is of a rule that is not judged
};

class Trial {
public:
  Trial(const std::vector<Edit>& edits, Codes& codes)
      : edits_(edits), change_(Change::of(edits, codes)), codes_(codes) {}

  Verdict of(const Diagnostic& finding) const;
  /// Of all of them: removed only if each one is, kept if one is.
  Verdict of(const std::vector<const Diagnostic*>& findings) const;

  /// Whether a finding comes about in a version of the source; nothing where the text does not tell.
  using Happens = std::optional<bool> (*)(const Diagnostic& finding, const Version& version);

private:
  Verdict of_two_versions(Happens happens, const Diagnostic& finding) const;
  /// Of findings that are not about the order of two accesses.
  Verdict gone_through_again(const Diagnostic& finding) const;

  std::vector<Edit> edits_;
  std::optional<Change> change_;
  mutable std::optional<EditedSource> source_; ///< made when it is asked for
  Codes& codes_;
};

// ---- what a trial asks, a file for each
// --------------------------------------------------------------------------------

/// One side of a finding: the task, and the call paths by which it came there.
struct TrialSide {
  const Site* site = nullptr;                ///< null where it is no access
  const std::vector<Frame>* stack = nullptr; ///< of the access; null where it is not known
  std::vector<LineageTask> tasks;            ///< the task and its ancestors, innermost first
  std::vector<std::vector<SourcePlace>> at;  ///< where each of them was: at the access, or creating the one before it
};

struct TrialPair {
  TrialPair(const Diagnostic& finding);

  const Diagnostic& finding;
  TrialSide sides[2];
  /// The innermost task that is an ancestor of both, or one of them: its index in each side's tasks.
  std::optional<std::pair<std::size_t, std::size_t>> common;
};

/// Both are atomic, in one critical construct, under one lock, in the order of iterations, or in one iteration.
bool are_excluded(const TrialPair& pair, const Change& change, Codes& codes);
/// One has a copy of the variable where the other has not the same.
bool have_copies(const TrialPair& pair, const Change& change);
/// A wait, the end of a construct or a dependence orders them.
bool are_ordered(const TrialPair& pair, const Change& change, Codes& codes);
/// The construct of a task by the place of its creation.
std::optional<std::uint32_t> line_of_task(const SourcePlace& created, const Change& change, Codes& codes);
/// The two are in siblings that name one item, and not both to read.
bool have_ordering_item(const TrialPair& pair, const Change& change, Codes& codes);
/// They name an item that may be one.
bool may_have_ordering_item(const TrialPair& pair, const Change& change, Codes& codes);
/// Behind the first access a flag is released that is acquired in front of the other one.
bool publishes(const TrialSide& first, const TrialSide& then, const Change& change);
/// The text does not tell where the two meet, or whether the tasks name one item.
bool is_unclear(const Diagnostic& finding, const Change& change, Codes& codes);
/// The task is waited for before the variable that it uses ends.
bool is_awaited(const Diagnostic& finding, const Change& change, Codes& codes);

} // namespace fletcher::reports
