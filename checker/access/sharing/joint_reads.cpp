// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers as a set: what members of a team read at the same place takes one cell, of a joint strand (order/joint.hpp).
// A task that writes there later asks about each of them. Part of record.cpp.
#include "checker/access/recording/recording.hpp"
#include "checker/constructs/strand.hpp"

#include <algorithm>
#include <bit>

namespace fletcher::access {

// A strand that was open before is one of them. Of twins the first one is named, whichever has read: they are alike for
// all but their own thread, whose later accesses are judged by what other readers do (judge_readers).
StrandId RaceCheck::with_reader(ThreadState& thread, Cell cell, Cell now) {
  JointReads& known = thread.joint_reads;
  known.forget(tables_.generation_of_joints());
  if (!tables_.is_joint(cell.strand())) cell = cell.with_strand(tables_.first_twin(cell.strand()));
  now = now.with_strand(thread.alike.first());
  StrandId strand = known.joined(cell, now);
  if (strand == StrandId::none) {
    if (known.new_left == 0) {
      thread.joins = false;
      return strand;
    }
    order::Joint joint;
    bool is_room = true;
    each_reader(cell, [&](Cell one) { is_room = joint.add(one.strand(), one.mask()) && is_room; });
    if (!joint.add(now.strand(), now.mask()) || !is_room) return StrandId::none;
    const bool alike = joint.tell(static_cast<std::uint8_t>(cell.mask() | now.mask()));
    if (!alike && known.mixed_left == 0) return StrandId::none;
    const order::Joints::Found found = tables_.join(joint);
    if (found.strand == StrandId::none) return found.strand;
    if (found.is_new) --known.new_left;
    if (found.is_new && !alike) --known.mixed_left;
    strand = found.strand;
    known.join(cell, now, strand);
  }
  meet_joint(thread, strand);
  return strand;
}

// The one of this unit of work's twins alone, whichever of them has read.
StrandId RaceCheck::of_twins(ThreadState& thread) {
  const StrandId first = thread.alike.first();
  thread.joint_reads.forget(tables_.generation_of_joints());
  StrandId strand = thread.joint_reads.of_twins(first);
  if (strand == StrandId::none) {
    order::Joint joint;
    joint.add(first, 0xff);
    strand = tables_.join(joint).strand;
    if (strand == StrandId::none) return strand;
    thread.joint_reads.keep_of_twins(first, strand);
  }
  meet_joint(thread, strand);
  return strand;
}

// Where units of work read bytes at random, what the twins among them read at one line takes one cell. What other
// threads write is judged by each of these bytes then; with a cell for each unit there would be no room for most of
// them. A write by a twin is not: so each is distinguished as long as this is rare.
void RaceCheck::join_twins(ThreadState& thread, const Found& found, Cell& now, unsigned& kept, Change& change) {
  if (!thread.alike.has_twins()) return;
  const StrandId known = thread.joint_reads.of_twins(thread.alike.first());
  unsigned twins = 0, bytes = now.mask();
  bool is_known = false;
  for (unsigned i = 0; i < found.used; ++i) {
    const Cell cell(found.cells[i]);
    if ((kept >> i & 1) == 0 || !is_by_twin(thread, cell, now)) continue;
    is_known = is_known || cell.strand() == known;
    twins |= 1u << i;
    bytes |= cell.mask();
  }
  if (!is_known && (twins == 0 || std::popcount(kept) < 2)) return;
  if (!is_known && thread.joint_reads.apart_left != 0) {
    --thread.joint_reads.apart_left;
    change.alike = false; // later it will be another
    return;
  }
  const StrandId readers = of_twins(thread);
  if (readers == StrandId::none) return;
  now = Cell(readers, now.site(), Kind::read, static_cast<std::uint8_t>(bytes));
  kept &= ~twins;
  change.trims = 0;
  change.joins = true;
}

std::uint64_t RaceCheck::meet_joint(ThreadState& thread, StrandId joint) {
  const StrandId since = thread.alike.first();
  const order::Joint& readers = tables_.joint_of(joint);
  const std::uint8_t read = readers.bytes_of(since, thread.strand()),
                     others = readers.bytes_of(StrandId::none, StrandId{~0u});
  if (read == 0) return 0;
  // A cell of reads does not record a write. Of one that was trimmed since, all of them come before the task that did
  // it, so none goes on reading.
  const std::uint64_t met =
      Cell::strand_part(joint) | Cell::need(Kind::write, static_cast<std::uint8_t>(read | ~others));
  thread.alike.meet(met);
  thread.joint_reads.meet(met, since);
  return met;
}

// The cell, of a read, records one by this strand, or by a twin, among others.
bool RaceCheck::is_joined(ThreadState& thread, Cell cell, std::uint64_t need) {
  if (thread.strand() == StrandId::none || !tables_.is_joint(cell.strand())) return false;
  thread.joint_reads.forget(tables_.generation_of_joints());
  std::uint64_t joint = thread.joint_reads.met(cell.strand(), thread.alike.first());
  if (joint == 0) joint = meet_joint(thread, cell.strand());
  if (joint == 0) return false;
  thread.alike.meet(joint);
  return thread.alike.tells(cell.raw(), need) != 0;
}

// Of this read and one of the cells, which is not known to come before it, one can be made.
bool RaceCheck::may_join(const ThreadState& thread, Cell cell, Cell now) const noexcept {
  if (!thread.joins || now.kind() != Kind::read || !same_line(now, cell)) return false;
  const order::StrandBlock& block = tables_.block_of(cell.strand());
  if (tables_.is_joint(cell.strand())) { // not with twins (join_twins): that would be as many sets as bytes
    const std::uint32_t count = tables_.joint_of(cell.strand()).count;
    return count > 1 && count < order::Joint::most;
  }
  return block.held_by(cell.strand()) == LocksetId::empty && tables_.task(block.task).kind == TaskKind::implicit &&
         (cell.strand() < thread.alike.first() || cell.strand() > thread.strand());
}

// The one that stands for this unit of work in joint strands, also where it has released or learned something since.
StrandId RaceCheck::own_twin(const ThreadState& thread) const noexcept {
  const order::WorkUnit unit = constructs::unit_of(*thread.task);
  const order::Twins::Run run = unit.since != StrandId::none ? tables_.twins_of(unit.chain) : order::Twins::Run();
  return run.last != StrandId::none && unit.since <= run.last ? run.first : thread.alike.first();
}

// Those that race are reported. What is harmless of one reader, who stays, is so of all. One that stands for this unit
// of work may have read nothing; a write here races with what the others read at the same line, too.
RaceCheck::Verdict RaceCheck::judge_readers(ThreadState& thread, Cell past, Cell now, std::uint8_t mask,
                                            Address granule) {
  Verdict all = Verdict::ordered;
  const StrandId own = own_twin(thread);
  each_reader(past, [&](Cell one) {
    if (one.strand() == thread.strand() || one.strand() == own || (one.mask() & now.mask()) == 0) return;
    const Verdict verdict = judge(thread, one, now, granule);
    if (verdict >= Verdict::race) report_places(thread, granule, one, met_with(one, now, mask), verdict);
    if (all != Verdict::harmless) all = verdict == Verdict::harmless ? verdict : std::max(all, verdict);
  });
  return all;
}

// Whether all come before is remembered like any strand's.
bool RaceCheck::all_before(ThreadState& thread, StrandId joint, order::Levels levels) {
  const order::Joint& readers = tables_.joint_of(joint);
  for (std::uint32_t i = 0; i < readers.count; ++i)
    if (readers.strands[i] != thread.strand() && !before(thread, readers.strands[i], levels)) return false;
  return true;
}

} // namespace fletcher::access
