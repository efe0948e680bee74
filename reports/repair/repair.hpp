// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The edits that remove a cause with all its places, where the sources leave no doubt about them. A repair is offered
// only if it keeps what the program means: one that several changes of different meaning would silence has none.
#pragma once

#include "reports/explanation/diagnostic.hpp"
#include "reports/repair/source/code.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fletcher::reports {

struct Repair {
  std::string sentence; ///< as it reads behind "fix: "
  std::vector<Edit> edits;
  std::string why = {};            ///< where the sources say more about the cause than the run: how it reads
  std::optional<Cause> cause = {}; ///< and what it is
};

/// The diagnostics of one cause, the leading one first.
using Group = std::vector<const Diagnostic*>;

/// Files as repairs read them, each once.
class Codes {
public:
  explicit Codes(SourceText& sources) : sources_(sources) {}
  const Code& of(const std::string& file);
  SourceText& sources() const noexcept { return sources_; }

private:
  SourceText& sources_;
  std::map<std::string, Code> files_;
};

/// Nothing where a person has to decide. `group` may have an edit already; the result replaces it.
std::optional<Repair> repair(const Group& group, Codes& codes);

// ---- by kind of cause, a file for each
// --------------------------------------------------------------------------------

/// Accesses that nothing excludes from each other: reduction, private, atomic, critical.
std::optional<Repair> repair_exclusion(const Group& group, Codes& codes);
/// Updates that may come in any order become atomic.
std::optional<Repair> repair_by_atomic(const Group& group, Codes& codes);
/// Locks and critical constructs that do not match, or that a waiting task holds.
std::optional<Repair> repair_locks(const Group& group, Codes& codes);
/// A lock that is held while its owner waits for a task that takes it.
std::optional<Repair> repair_held_lock(const Group& group, Codes& codes);
/// Waits that cannot end.
std::optional<Repair> repair_dependence_cycle(const Group& group, Codes& codes);
/// Data that is mapped too short, in the wrong direction, or not at all.
std::optional<Repair> repair_mapping(const Group& group, Codes& codes);
/// A barrier that not all threads of the team reach.
std::optional<Repair> repair_barrier_mismatch(const Group& group, Codes& codes);
/// The same, in a function that only some threads, or tasks, call.
std::optional<Repair> repair_team_function(const Group& group, const Code& code);
/// The same, for a barrier inside a critical construct.
std::optional<Repair> barrier_out_of_construct(const Group& group, Codes& codes);
/// Locks or critical constructs that are taken in two orders.
std::optional<Repair> repair_lock_order(const Group& group, Codes& codes);
/// Iterations that wait for each other.
std::optional<Repair> repair_doacross(const Group& group, Codes& codes);
/// An operation of MPI that is completed behind a use of its buffer.
std::optional<Repair> repair_late_completion(const Group& group, Codes& codes);
/// Iterations that run side by side in the lanes of a vector.
std::optional<Repair> repair_simd(const Group& group, Codes& codes);
/// A lock that a task leaves set, or unsets by another name.
std::optional<Repair> repair_lock_misuse(const Group& group, Codes& codes);
/// Tasks without a dependence, or with one of the wrong type.
std::optional<Repair> repair_dependences(const Group& group, Codes& codes);
/// An event that is fulfilled before the work that its task stands for is done.
std::optional<Repair> repair_early_fulfilment(const Group& group, Codes& codes);
/// Missing between a task and later uses of its data: firstprivate, a taskwait before the end of a block, no nowait.
std::optional<Repair> repair_waits(const Group& group, Codes& codes);

/// Tasks of one creator that nothing else orders: a taskwait between them.
std::optional<Repair> repair_by_wait(const Group& group, Codes& codes);
/// A statement on the wrong side of what would order it.
std::optional<Repair> repair_by_move(const Group& group, Codes& codes);
/// Two loops of a league: a teams construct for each.
std::optional<Repair> repair_league(const Group& group, Codes& codes);

/// Data behind a flag that orders nothing.
std::optional<Repair> repair_publication(const Group& group, Codes& codes);
/// The same, of a flag that is no synchronisation.
std::optional<Repair> repair_flag(const Group& group, Codes& codes);
/// Threads of a team that do not wait for each other between two statements.
std::optional<Repair> repair_barrier(const Group& group, Codes& codes);

// ---- what they share
// --------------------------------------------------------------------------------------------------

/// A line in front of another, as far to the right. `before` may be the line behind the last one that matters.
Edit inserted_before(const Code& code, std::uint32_t before, const std::string& text, std::uint32_t indented_as);
/// Whether a construct can go in front of a line's first statement.
bool begins_a_statement(const Code& code, std::uint32_t line);
/// All sites of the group; empty where one has no line, or they are in several files.
std::vector<Site> sites_of(const Group& group);
/// The lines of a race in the innermost function that is on both call stacks; the earlier one first.
std::optional<std::pair<std::uint32_t, std::uint32_t>> lines_in_one_function(const Diagnostic& race, const Code& code);
bool is_identifier(const std::string& name);
/// The variable is a number by its declaration, and no array.
bool is_number(const Diagnostic& diagnostic, Codes& codes, std::uint32_t used_at);
/// The variable is one of the function that a line is in.
bool is_local_to(const Code& code, const Diagnostic& diagnostic, std::uint32_t line);

} // namespace fletcher::reports
