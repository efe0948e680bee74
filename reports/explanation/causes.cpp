// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which diagnostics have the same cause, and what is left of those that do not lead.
#include "reports/explanation/causes.hpp"

#include "reports/document/words.hpp"
#include "reports/explanation/cause_keys.hpp"
#include "reports/explanation/fingerprint.hpp"
#include "reports/explanation/rule_catalogue.hpp"
#include "reports/explanation/shared_updates.hpp"
#include "reports/repair/repair.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
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
  out += here.place.file == there.place.file ? " at line " : " at " + sources.shown(there.place.file) + ":";
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
  for (std::size_t i = 0; i < diagnostics.size(); ++i) {
    if (!causes[i].consequence_of) continue;
    const auto cause = first_with.find({diagnostics[i].suppressed, *causes[i].consequence_of});
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
};

/// A construct that is created once, as far as the text tells: no block around it is a loop's.
bool is_in_loop(const Code& code, std::uint32_t line) {
  for (const Extent& block : code.blocks_around(line))
    for (const std::string_view word : {"for", "while", "do"})
      if (mentions(code.line(block.begin.line).substr(0, block.begin.column), word)) return true;
  const std::string_view above = line > 1 ? code.line(line - 1) : std::string_view();
  return mentions(above, "for") || mentions(above, "while");
}

/// The edits of the group order tasks.
bool orders_tasks(const CauseGroup& group, const std::vector<Diagnostic>& diagnostics) {
  if (group.members.empty() || !group.repair) return false;
  const Diagnostic& leader = diagnostics[group.members.front()];
  return leader.rule == Rule::data_race &&
         (leader.cause == Cause::missing_taskwait || leader.cause == Cause::missing_dependence);
}

/// Whether the edits that order the tasks of one group order those of another one, too: all of its pairs of tasks are
/// pairs of the first, or what it says is of a clause that the edits complete.
bool is_ordered_by(const CauseGroup& group, const CauseGroup& edited, const std::vector<Diagnostic>& diagnostics,
                   Codes& codes) {
  const Diagnostic& leader = diagnostics[edited.members.front()];
  const bool of_wait = leader.cause == Cause::missing_taskwait;
  std::vector<std::vector<SourcePlace>> pairs;
  for (const std::size_t i : edited.members)
    if (diagnostics[i].rule == Rule::data_race) pairs.push_back(task_places(diagnostics[i]));
  const auto by_line = [](const SourcePlace& a, const SourcePlace& b) { return a.line == b.line && a.file == b.file; };
  return std::ranges::all_of(group.members, [&](std::size_t i) {
    const Diagnostic& one = diagnostics[i];
    if (one.suppressed != leader.suppressed) return false;
    const bool of_clause = one.rule == Rule::unmatched_dependence;
    if (!of_clause && (one.rule != Rule::data_race || one.cause != Cause::missing_dependence)) return false;
    const std::vector<SourcePlace> tasks = task_places(one);
    if (tasks.empty()) return false;
    if (of_clause && (tasks.size() == 1 || of_wait))
      return std::ranges::any_of(edited.repair->edits, [&](const Edit& edit) {
        return edit.replaces && std::ranges::any_of(tasks, [&](const auto& task) { return by_line(edit.place, task); });
      });
    if (of_wait || tasks.size() != 2 || by_line(tasks[0], tasks[1])) return false;
    if (std::ranges::any_of(tasks, [&](const auto& task) { return is_in_loop(codes.of(task.file), task.line); }))
      return false;
    return std::ranges::any_of(pairs, [&](const auto& pair) {
      return pair.size() == 2 && by_line(pair[0], tasks[0]) && by_line(pair[1], tasks[1]);
    });
  });
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

/// A group that the edits of another one remove is no cause of its own.
std::vector<CauseGroup> joined_by_repair(std::vector<CauseGroup> groups, const std::vector<Diagnostic>& diagnostics,
                                         const std::vector<Causes>& causes, Codes& codes) {
  std::vector<std::size_t> ordering, all(groups.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (const std::size_t k : all)
    if (orders_tasks(groups[k], diagnostics)) ordering.push_back(k);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool may_be_late =
        std::ranges::all_of(groups[i].members, [&](std::size_t one) { return !causes[one].late_use_of.empty(); });
    for (const std::size_t k : may_be_late ? all : ordering) {
      CauseGroup& edited = groups[k];
      if (k == i || edited.members.empty()) continue;
      if (!is_late_use_of(groups[i], edited, diagnostics, causes) &&
          (groups[i].repair || !orders_tasks(edited, diagnostics) ||
           !is_ordered_by(groups[i], edited, diagnostics, codes)))
        continue;
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
    CauseGroup one{std::move(members), repair(group, codes)};
    const Diagnostic& leader = *group.front();
    const Note* const fix = note_of(leader, Note::Kind::fix);
    if (!one.repair && fix != nullptr && !leader.edits.empty())
      one.repair = Repair{fix->message.substr(std::string_view("fix: ").size()), leader.edits};
    if (one.repair) { // the same change is the same cause
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
  return joined_by_repair(std::move(out), diagnostics, causes, codes);
}

/// Puts the edits into the leader, and says so in its note about the fix.
void apply(const CauseGroup& group, Diagnostic& leader) {
  const auto note = std::find_if(leader.notes.begin(), leader.notes.end(),
                                 [](const Note& one) { return one.kind == Note::Kind::fix; });
  if (note == leader.notes.end()) return;
  if (group.repair && group.repair->edits != leader.edits) {
    leader.edits = group.repair->edits;
    note->message = "fix: " + group.repair->sentence;
    note->place = leader.edits.front().place;
    note->stack.clear();
  }
  if (group.repair && !group.repair->why.empty() && !leader.predicted) {
    if (group.repair->cause) leader.cause = *group.repair->cause;
    for (Note& one : leader.notes)
      if (one.kind == Note::Kind::cause) one.message = "why: " + group.repair->why;
  }
  if (!leader.edits.empty() && group.members.size() > 1)
    note->message += group.members.size() == 2
                         ? std::string("; this removes both places")
                         : "; this removes all " + std::to_string(group.members.size()) + " places";
}

} // namespace

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
