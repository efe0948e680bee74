// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which diagnostics have the same cause, and what is left of those that do not lead.
#include "reports/explanation/causes/causes.hpp"

#include "reports/document/words.hpp"
#include "reports/explanation/causes/cause_keys.hpp"
#include "reports/explanation/causes/shared_updates.hpp"
#include "reports/explanation/fingerprint.hpp"
#include "reports/explanation/rule_catalogue.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/trial/trial.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace fletcher::reports {
namespace {

/// "write of 4 bytes, not ordered with the read of 4 bytes at line 25": what the leader says of them all is left out.
std::string short_message(const Diagnostic& diagnostic, const Diagnostic& leader, const SourceText& sources) {
  const std::string title =
      diagnostic.rule == leader.rule ? std::string() : std::string(rule_text(diagnostic.rule).title) + ": ";
  if (diagnostic.rule != Rule::data_race || diagnostic.participants.size() < 2) {
    const auto end = diagnostic.message.find(": ");
    return title + (end == std::string::npos ? diagnostic.message : diagnostic.message.substr(end + 2));
  }
  const Participant &here = diagnostic.participants[0], &there = diagnostic.participants[1];
  std::string out = title + here.act;
  if (diagnostic.variable != leader.variable && !diagnostic.variable.empty() &&
      diagnostic.variable.find(':') == std::string::npos)
    out += " of '" + diagnostic.variable + "'";
  const bool by_function = diagnostic.sites.size() == 2 && !there.act.starts_with(words(diagnostic.sites[1].type));
  out += (by_function ? ", not ordered with the call in which " : ", not ordered with the ") + there.act;
  if (here.place == there.place || !there.place.known()) return out + " on the same line";
  out += here.place.file == there.place.file ? " at line " : " at " + one_line(sources.shown(there.place.file)) + ":";
  return out + std::to_string(there.place.line);
}

/// An error says more than a warning, what happened more than what was predicted, and a race, whose reason says which
/// clauses are wrong, more than the clauses alone; a lock that is left set more than who waits for it.
bool leads(const Diagnostic& a, const Diagnostic& b) {
  const auto rank = [](const Diagnostic& d) {
    return std::tuple(d.severity, d.predicted, d.rule != Rule::data_race, d.rule == Rule::dependence_cycle);
  };
  return rank(a) < rank(b);
}

/// Sets of numbers that are joined (union by the lower representative).
class Joined {
public:
  explicit Joined(std::size_t size) : above_(size) { std::iota(above_.begin(), above_.end(), std::size_t{0}); }
  std::size_t find(std::size_t one) {
    while (above_[one] != one) one = above_[one] = above_[above_[one]];
    return one;
  }
  void join(std::size_t a, std::size_t b) {
    a = find(a), b = find(b);
    above_[std::max(a, b)] = std::min(a, b);
  }

private:
  std::vector<std::size_t> above_;
};

/// Indices of diagnostics that have a cause in common, directly or by way of others.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<Diagnostic>& diagnostics,
                                                const std::vector<Causes>& causes) {
  Joined joined(diagnostics.size());
  std::map<std::pair<bool, CauseKey>, std::size_t> first_with;
  for (std::size_t i = 0; i < diagnostics.size(); ++i)
    for (const CauseKey& cause : causes[i].keys) {
      const auto [entry, fresh] = first_with.try_emplace({diagnostics[i].suppressed, cause}, i);
      if (!fresh) joined.join(entry->second, i);
    }
  for (std::size_t i = 0; i < diagnostics.size(); ++i)
    for (const CauseKey& key : causes[i].consequence_of) {
      const auto cause = first_with.find({diagnostics[i].suppressed, key});
      if (cause != first_with.end()) joined.join(cause->second, i);
    }
  std::vector<std::vector<std::size_t>> members(diagnostics.size()), out;
  for (std::size_t i = 0; i < diagnostics.size(); ++i) members[joined.find(i)].push_back(i);
  for (auto& group : members)
    if (!group.empty()) out.push_back(std::move(group));
  return out;
}

/// Diagnostics of one cause, and the change that removes them all.
struct CauseGroup {
  std::vector<std::size_t> members; ///< the leading one first
  std::optional<Repair> repair;
  Verdict verdict = Verdict::unknown; ///< what the repair does with all of them
};

std::vector<const Diagnostic*> findings_of(const std::vector<std::size_t>& members,
                                           const std::vector<Diagnostic>& diagnostics) {
  std::vector<const Diagnostic*> out;
  for (const std::size_t i : members) out.push_back(&diagnostics[i]);
  return out;
}

/// Where the tasks and regions of a group were created, and what its edits change, each place once.
std::set<std::pair<std::string, std::uint32_t>> constructs_of(const CauseGroup& group,
                                                              const std::vector<Diagnostic>& diagnostics) {
  std::set<std::pair<std::string, std::uint32_t>> out;
  for (const std::size_t i : group.members) {
    for (const SourcePlace& place : task_places(diagnostics[i])) out.emplace(place.file, place.line);
    for (const Participant& one : diagnostics[i].participants)
      for (const LineageTask& task : one.tasks)
        if (task.created.known()) out.emplace(task.created.file, task.created.line);
  }
  if (group.repair)
    for (const Edit& edit : group.repair->edits) out.emplace(edit.place.file, edit.place.line);
  return out;
}

/// All that the group has is of a frame that is gone, as a member of the other one says.
bool is_late_use_of(const CauseGroup& group, const CauseGroup& other, const std::vector<Diagnostic>& diagnostics,
                    const std::vector<Causes>& causes) {
  return std::ranges::all_of(group.members, [&](std::size_t i) {
    return std::ranges::any_of(other.members, [&](std::size_t k) {
      return diagnostics[i].suppressed == diagnostics[k].suppressed &&
             std::ranges::any_of(causes[i].late_use_of, [&](const CauseKey& key) {
               return std::ranges::find(causes[k].keys, key) != causes[k].keys.end();
             });
    });
  });
}

/// All pairs of tasks of one group are pairs of the other one.
bool are_of_same_tasks(const CauseGroup& group, const CauseGroup& other, const std::vector<Diagnostic>& diagnostics) {
  return std::ranges::all_of(group.members, [&](std::size_t i) {
    const auto tasks = task_places(diagnostics[i]);
    return tasks.size() == 2 && std::ranges::any_of(other.members, [&](std::size_t k) {
             return diagnostics[k].cause == diagnostics[i].cause && task_places(diagnostics[k]) == tasks;
           });
  });
}

/// All that the two groups lack is one wait each: the first of them may be all that is needed.
bool are_both_unawaited(const CauseGroup& group, const CauseGroup& other, const std::vector<Diagnostic>& diagnostics) {
  const auto unawaited = [&](std::size_t i) { return diagnostics[i].cause == Cause::missing_taskwait; };
  return std::ranges::all_of(group.members, unawaited) && std::ranges::all_of(other.members, unawaited);
}

/// A group that the edits of another one remove is no cause of its own: what was recorded of it is tried with them.
std::vector<CauseGroup> joined_by_repair(std::vector<CauseGroup> groups, const std::vector<Diagnostic>& diagnostics,
                                         const std::vector<Causes>& causes, Codes& codes) {
  constexpr std::size_t most = 64; // of groups about one construct; trying each with each takes its time
  std::map<std::pair<std::string, std::uint32_t>, std::vector<std::size_t>> about;
  std::vector<std::size_t> all(groups.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (const std::size_t k : all)
    if (groups[k].verdict == Verdict::removed)
      for (const auto& construct : constructs_of(groups[k], diagnostics)) about[construct].push_back(k);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool may_be_late =
        std::ranges::all_of(groups[i].members, [&](std::size_t one) { return !causes[one].late_use_of.empty(); });
    std::set<std::size_t> candidates;
    if (may_be_late) candidates.insert(all.begin(), all.end());
    for (const auto& construct : constructs_of(groups[i], diagnostics))
      if (const auto known = about.find(construct); known != about.end() && known->second.size() <= most)
        candidates.insert(known->second.begin(), known->second.end());
    for (const std::size_t k : candidates) {
      CauseGroup& edited = groups[k];
      if (k == i || edited.members.empty()) continue;
      const auto removes = [&] {
        return (!groups[i].repair || are_of_same_tasks(groups[i], edited, diagnostics) ||
                are_both_unawaited(groups[i], edited, diagnostics)) &&
               edited.verdict == Verdict::removed &&
               diagnostics[groups[i].members.front()].suppressed == diagnostics[edited.members.front()].suppressed &&
               Trial(edited.repair->edits, codes).of(findings_of(groups[i].members, diagnostics)) == Verdict::removed;
      };
      const bool late = is_late_use_of(groups[i], edited, diagnostics, causes);
      if (!late && !removes()) continue;
      edited.members.insert(edited.members.end(), groups[i].members.begin(), groups[i].members.end());
      groups[i].members.clear();
      break;
    }
  }
  std::erase_if(groups, [](const CauseGroup& group) { return group.members.empty(); });
  return groups;
}

std::vector<CauseGroup> repaired(const std::vector<Diagnostic>& diagnostics, const std::vector<Causes>& causes,
                                 SourceText& sources) {
  Codes codes(sources);
  std::vector<CauseGroup> out;
  std::map<std::tuple<bool, std::vector<Edit>>, std::size_t> with_edits;
  const auto by_rank = [&](std::size_t a, std::size_t b) {
    return leads(diagnostics[a], diagnostics[b]) || (!leads(diagnostics[b], diagnostics[a]) && a < b);
  };
  for (std::vector<std::size_t>& members : groups_of(diagnostics, causes)) {
    std::sort(members.begin(), members.end(), by_rank);
    Group group;
    for (const std::size_t i : members) group.push_back(&diagnostics[i]);
    CauseGroup one{std::move(members), repair(group, codes), Verdict::unknown};
    const Diagnostic& leader = *group.front();
    const Note* const fix = note_of(leader, Note::Kind::fix);
    if (!one.repair && fix != nullptr && !leader.edits.empty())
      one.repair = Repair{fix->message.substr(std::string_view("fix: ").size()), leader.edits};
    if (one.repair && !one.repair->edits.empty()) { // the same change is the same cause
      const auto [known, fresh] = with_edits.try_emplace({leader.suppressed, one.repair->edits}, out.size());
      if (!fresh) {
        auto& others = out[known->second].members;
        others.insert(others.end(), one.members.begin(), one.members.end());
        std::sort(others.begin(), others.end(), by_rank);
        continue;
      }
    }
    out.push_back(std::move(one));
  }
  for (CauseGroup& one : out)
    if (one.repair && !one.repair->edits.empty())
      one.verdict = Trial(one.repair->edits, codes).of(findings_of(one.members, diagnostics));
  return joined_by_repair(std::move(out), diagnostics, causes, codes);
}

constexpr std::string_view removes = "; this removes";

/// Puts the edits into the leader where they remove all places, and says so in its note about the fix. Of those of
/// which the record does not say what they do the words stay, and of those that leave one that they do.
void apply(const CauseGroup& group, Diagnostic& leader) {
  const auto note = std::find_if(leader.notes.begin(), leader.notes.end(),
                                 [](const Note& one) { return one.kind == Note::Kind::fix; });
  if (note == leader.notes.end()) return;
  if (group.repair && !group.repair->why.empty() && !leader.predicted) {
    if (group.repair->cause) leader.cause = *group.repair->cause;
    for (Note& one : leader.notes)
      if (one.kind == Note::Kind::cause) one.message = "why: " + group.repair->why;
  }
  if (group.repair && group.repair->edits.empty()) { // advice
    note->message = "fix: " + group.repair->sentence;
    return;
  }
  if (!group.repair || group.verdict == Verdict::kept) {
    leader.edits.clear();
    if (group.repair)
      note->message +=
          group.members.size() == 1 ? "; this alone does not remove it" : "; this alone does not remove all places";
    return;
  }
  if (group.repair->edits != leader.edits) {
    leader.edits = group.repair->edits;
    note->message = "fix: " + group.repair->sentence;
    note->place = leader.edits.front().place;
    note->stack.clear();
  }
  if (group.verdict == Verdict::unknown)
    leader.edits.clear();
  else if (group.members.size() > 1)
    note->message +=
        std::string(removes) + (group.members.size() == 2 ? std::string(" both places")
                                                          : " all " + std::to_string(group.members.size()) + " places");
}

} // namespace

std::string without_trial(const std::string& fix) { return fix.substr(0, fix.find(removes)); }

void try_edits(std::vector<Diagnostic>& diagnostics, SourceText& sources) {
  Codes codes(sources);
  for (Diagnostic& one : diagnostics)
    if (!one.edits.empty() && Trial(one.edits, codes).of(one) != Verdict::removed) one.edits.clear();
}

std::vector<Diagnostic> grouped_by_cause(std::vector<Diagnostic> diagnostics, SourceText& sources) {
  take_for_exclusion(diagnostics, sources);
  std::vector<Causes> causes;
  causes.reserve(diagnostics.size());
  for (const Diagnostic& diagnostic : diagnostics) causes.push_back(causes_of(diagnostic));
  std::vector<Diagnostic> out;
  for (const CauseGroup& group : repaired(diagnostics, causes, sources)) {
    const std::size_t first = group.members.front();
    Diagnostic leader = std::move(diagnostics[first]);
    apply(group, leader);
    if (const auto& known = causes[first]; known.name || !known.keys.empty()) {
      const CauseKey& cause = known.name ? *known.name : known.keys.front();
      leader.fingerprint = cause_fingerprint(leader.rule, cause.words, cause.places, sources);
    }
    for (const std::size_t i : group.members) {
      if (i == first) continue;
      add_occurrences(leader, 0, diagnostics[i].runs);
      leader.also.push_back({short_message(diagnostics[i], leader, sources), diagnostics[i].rule,
                             std::move(diagnostics[i].stack), diagnostics[i].place, diagnostics[i].count});
    }
    out.push_back(std::move(leader));
  }
  return out;
}

} // namespace fletcher::reports
