// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worksharing constructs. They order nothing by themselves, but a report that knows which construct an access belongs
// to can name the missing barrier. And they make units of work: a chunk of a dynamic or guided loop, the sections that
// a thread takes, the body of a single construct. Another thread of the team could have executed the unit: it is
// ordered with what its thread did since the last barrier in this run only. (Nothing is said of how its thread goes on
// after the construct: that one may well remember what it did. But what it does in a masked construct, no other thread
// would have done.) A piece of a static loop is a unit, too, which comes
// after what its thread did before the loop: that, it would have done itself. A thread that may know which one it is
// has none of them: it may have found a place of its own in any memory (RaceCheck::shared_by_team).
#include "checker/constructs/execution.hpp"

#include <algorithm>
#include <tuple>

namespace fletcher::constructs {

namespace {

constexpr std::uint64_t most_pieces = 256; ///< of which the ids are given at once
/// In a loop whose units conflict all the time each of them looks at all of its memory anew. So many accesses that met
/// what earlier units of the thread did are enough: what is left of the loop is one unit.
constexpr std::uint32_t enough_meetings = 1u << 16;

Rare::Moving what_moves(WorkKind kind) noexcept {
  switch (kind) {
  case WorkKind::loop_static:
  case WorkKind::loop_other: // of a runtime that does not say which
    return Rare::Moving::pieces;
  case WorkKind::loop_dynamic:
  case WorkKind::loop_guided:
    return Rare::Moving::chunks;
  case WorkKind::sections:
  case WorkKind::single_executor: // a section by itself
    return Rare::Moving::sections;
  default:
    return Rare::Moving::nothing;
  }
}

// All that the thread did since it drew its number is one unit.
void go_on_as_one_unit(access::ThreadState& thread, Task& member, UnitKind kind) {
  Rare& rare = member.rare();
  thread.units_since = StrandId::none;
  if (kind == UnitKind::piece) return end_unit(member); // what came before the loop comes before its pieces
  if (rare.unit_since == rare.drew_number) return;
  close_block(thread, member);
  rare.unit_since = rare.drew_number;
  rare.unit_floor = StrandId::none;
  rare.combines = rare.has_combined = false;
  thread.strands_at_unit = thread.strands;
  thread.forget_order();
}

// What the construct that ends here did, another thread could have done while this one is in a masked construct.
void leave_moved(Task& member, WorkKind kind) noexcept {
  Rare& rare = member.rare();
  const bool moves = kind == WorkKind::single_executor || kind == WorkKind::sections ||
                     kind == WorkKind::loop_dynamic || kind == WorkKind::loop_guided;
  if (!moves || !member.has_strands() || member.now().last == rare.loop_floor) return;
  // Of two constructs with nothing between them both could.
  if (rare.moved_until == StrandId::none || number(rare.moved_until) != number(rare.loop_floor) + 1)
    rare.moved_after = rare.loop_floor;
  rare.moved_until = StrandId{number(member.now().last) + 1};
}

void begin_masked(access::ThreadState& thread, Task& member) {
  const Activation& now = member.now();
  Rare& rare = member.rare();
  const Team* const team = member.team();
  if (team == nullptr || (team->size < 2 && !team->open) || now.asked_thread_number || now.knows_thread) return;
  if (is_in_unit(member) || rare.moved_until == StrandId::none) return;
  // What a number of its own led to it may well find again.
  const StrandId until = has_number(member) ? std::min(rare.moved_until, rare.drew_number) : rare.moved_until;
  if (number(until) <= number(rare.moved_after) + 1) return;
  rare.unit_since = until;
  rare.unit_floor = rare.moved_after;
  rare.is_long = false;
  thread.units_since = StrandId::none;
  thread.forget_order();
}

} // namespace

// A piece of a static loop is one in a larger team, so also where this one has one member.
void Execution::begin_unit(access::ThreadState& thread, Task& member, UnitKind kind, std::uint64_t more) {
  if (member.kind != TaskKind::implicit || member.team() == nullptr) return;
  if (kind != UnitKind::piece && member.team()->size < 2 && !member.team()->open) return;
  const Activation& now = member.now();
  if (kind != UnitKind::combination && (now.asked_thread_number || now.knows_thread)) {
    thread.units_since = StrandId::none;
    return end_unit(member);
  }
  if (kind == UnitKind::work && member.team()->own_values_are_told) {
    Rare& rare = member.rare();
    rare.latest_unit = static_cast<std::uint8_t>(rare.latest_unit % (Rare::unit_of_masked - 1) + 1);
    rare.unit_number = rare.latest_unit;
  }
  if (kind != UnitKind::combination && has_number(member)) return go_on_as_one_unit(thread, member, kind);
  // The unit before did all in one strand, which is still open.
  const bool twins = thread.strand() != StrandId::none && thread.is_first_of_unit() &&
                     number(thread.strand()) + order::StrandTables::strands_per_block < number(thread.units_end);
  twins ? close_strand(thread) : close_block(thread, member);
  // Where it did nothing since the barrier (`parallel` and `single` around tasks) there is nothing to tell apart.
  if (!member.has_strands()) return;
  member.rare().unit_since = StrandId{number(now.last) + 1};
  member.rare().unit_floor = kind == UnitKind::piece ? member.rare().loop_floor : StrandId::none;
  member.rare().told_in_turn.counts = member.rare().told_in_turn.outside;
  member.rare().combines = kind == UnitKind::combination;
  member.rare().has_combined = member.rare().is_long = false;
  if (!twins && races_ != nullptr) // without accesses nobody asks which units are alike
    std::tie(thread.units_since, thread.units_end) = thread.tables->reserve_strands(thread.indices, more + 1);
  thread.strands_at_unit = thread.strands;
  thread.forget_order();
}

void Execution::work(const Work& e) {
  access::ThreadState& t = thread(e.thread);
  if (t.task == nullptr || e.kind == WorkKind::taskloop) return;
  Task& member = *t.task;
  goes_alone(t);
  Rare& rare = member.rare();
  if (e.kind == WorkKind::single_other) { // met, like the one who executes it, but not entered
    ++rare.works;
    if (e.begin) return;
    member.now().work = {ContextId::none, rare.works};
    return close_block(t, member);
  }
  if (e.begin && e.kind <= WorkKind::loop_other) ++rare.loops;
  member.now().work = {e.begin ? place(t, e.pc) : ContextId::none, ++rare.works};
  close_block(t, member);
  if (!e.begin) leave_moved(member, e.kind);
  if (!rare.has_combined) end_unit(member); // another construct orders nothing with the combination
  rare.unit_number = 0;
  rare.told_in_turn = {};
  t.units_since = StrandId::none;
  rare.loop_count = e.count;
  rare.met_before_loop = t.met_earlier_units;
  rare.loop_floor = member.now().last;
  if (!e.begin || e.end_untold) return;
  rare.moving = what_moves(e.kind);
  if (e.kind == WorkKind::sections || e.kind == WorkKind::single_executor) begin_unit(t, member);
}

void Execution::dispatch(const Dispatch& e) {
  access::ThreadState& t = thread(e.thread);
  if (t.task == nullptr) return;
  const Rare& rare = t.task->rare();
  const bool is_piece = e.kind == DispatchKind::piece;
  if (rare.moving == Rare::Moving::nothing || is_piece == (rare.moving == Rare::Moving::chunks)) return;
  if (!is_piece && e.kind != DispatchKind::loop_chunk) return;
  if (t.met_earlier_units - rare.met_before_loop > enough_meetings) return;
  const std::uint64_t more = rare.loop_count / std::max<std::uint64_t>(e.iterations, 1);
  if (rare.moving == Rare::Moving::pieces)
    begin_unit(t, *t.task, UnitKind::piece, std::min<std::uint64_t>(more, most_pieces));
  else
    begin_unit(t, *t.task, UnitKind::work, more);
}

// Only one member meets it, so it does not count in the order of constructs.
void Execution::masked(const Masked& e) {
  access::ThreadState& t = thread(e.thread);
  if (t.task == nullptr || t.task->kind != TaskKind::implicit) return;
  goes_alone(t);
  Task& member = *t.task;
  member.now().work = {e.begin ? place(t, e.pc) : ContextId::none, member.rare().works};
  close_block(t, member);
  Rare& rare = member.rare();
  const Team* const team = member.team();
  if (e.begin)
    begin_masked(t, member);
  else if (!rare.has_combined && rare.moving == Rare::Moving::nothing)
    end_unit(member);
  if (rare.moving == Rare::Moving::nothing)
    rare.unit_number = e.begin && team != nullptr && team->own_values_are_told ? Rare::unit_of_masked : std::uint8_t{0};
}

} // namespace fletcher::constructs
