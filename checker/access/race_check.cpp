// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/race_check.hpp"

#include "checker/access/check.hpp"
#include "checker/constructs/strand.hpp"
#include "checker/constructs/teams/team.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace fletcher::access {

RaceCheck::RaceCheck(order::StrandTables& tables, CallTree& calls, Locksets& locksets, RaceListener& listener,
                     unsigned address_bits, bool observed_order_counts, const MemoryMap* memory)
    : tables_(tables), calls_(calls), locksets_(locksets), listener_(listener), shadow_(address_bits),
      prediction_(tables), observed_order_counts_(observed_order_counts), memory_(memory) {}

void RaceCheck::attach(ThreadState& thread) {
  {
    const memory::SpinGuard guard(attached_lock_);
    attached_.push_back(&thread);
  }
  thread.races = this;
  thread.locks_taken = &prediction_.log().active();
  thread.set_shadow(reinterpret_cast<std::uint64_t*>(shadow_.base()), shadow_.mask());
  thread.plane_distance = shadow_.plane_distance();
}

bool RaceCheck::before(ThreadState& thread, StrandId past, order::Levels levels) {
  if (thread.known_before(past)) return true;
  const constructs::Task& task = *thread.task;
  const bool plain = task.kind == TaskKind::explicit_ && order::of_own(tables_, past, task.now().chain);
  if (!plain && (tables_.is_joint(past) ? !all_before(thread, past, levels)
                                        : !order::happens_before(tables_, past, constructs::position(task), levels) &&
                                              !(constructs::combines(task) &&
                                                constructs::combined_before(task, tables_.block_of(past).chain, past))))
    return false;
  thread.found_before(past);
  return true;
}

// Remembers the answer for as long as the strand runs, so it may be outdated where the strand has learned of more since
// then: good enough to decide what gives way, not to call something a race.
bool RaceCheck::still_concurrent(ThreadState& thread, StrandId past) {
  if (thread.was_concurrent(past)) return true;
  if (before(thread, past, order::Levels::near)) return false;
  found_concurrent(thread, past);
  return true;
}

// Each of many small tasks meets what its ancestors did, and asks about each of their strands once. Between units of
// work more than the clock counts.
bool RaceCheck::is_found_before(ThreadState& thread, StrandId past) noexcept {
  return constructs::unit_of(*thread.task).since == StrandId::none && !still_concurrent(thread, past);
}

bool RaceCheck::is_of_leaf(StrandId past) const noexcept {
  const order::StrandBlock& block = tables_.block_of(past);
  return tables_.has_ended(block.chain) && !tables_.task(block.task).has(order::Trait::parental);
}

// What comes after it on its chain is concurrent, too: all that comes after that comes after all before it. But on the
// chain of a unit of work the unit itself comes after others that do not come before it.
void RaceCheck::found_concurrent(ThreadState& thread, StrandId past) const noexcept {
  const order::StrandBlock& block = tables_.block_of(past);
  const ChainId chain = block.chain;
  const bool of_units =
      chain == thread.task->now().chain || chain == constructs::unit_of(*thread.task).chain || tables_.is_joint(past);
  thread.found_concurrent(past, of_units ? past : StrandId{~0u}, is_of_leaf(past));
}

// Ordered by nothing but which thread got which unit of work in this run.
bool RaceCheck::assigned_before(const ThreadState& thread, StrandId past) const noexcept {
  return constructs::unit_of(*thread.task).since != StrandId::none &&
         order::happens_before(tables_, past, constructs::position_in_run(*thread.task));
}

// The thread that executed both units of work did so by chance, but may have memory of its own, which another thread
// would have replaced by its own. So only memory that is there for the whole team counts, and only where the thread
// cannot have found its own place in it.
bool RaceCheck::shared_by_team(ThreadState& thread, StrandId past, Address address) const {
  const constructs::Task& task = *thread.task;
  const order::RecordId record = tables_.block_of(past).task;
  const order::TaskRecord& other = tables_.task(record);
  // Its own record says the same of it as it does, except for the time.
  const bool is_known = task.now().asked_thread_number || task.now().knows_thread;
  const bool may_be_known = constructs::has_number(task) || other.has(order::Trait::asked_thread_number) ||
                            other.has(order::Trait::knows_thread);
  if (!constructs::combines(task) && (is_known || (may_be_known && record != task.now().record))) return false;
  return there_for_team(thread, past, address);
}

namespace {

/// Of which another member could have executed the unit of work that `task` is in. A region that a unit encounters is
/// of that unit. Its own team where it is in no unit.
const constructs::Team* team_of_unit(const constructs::Task& task) noexcept {
  const order::WorkUnit unit = constructs::unit_of(task);
  const constructs::Team* team = task.team();
  while (team != nullptr && unit.since != StrandId::none && team->unit.chain == unit.chain &&
         team->unit.since == unit.since)
    team = team->encountering->team();
  return team;
}

/// The task that encountered the outermost such region; null where it is in none.
const constructs::Task* encountered_in_unit(const constructs::Task& task) noexcept {
  const constructs::Team* const outer = team_of_unit(task);
  const constructs::Task* encountering = nullptr;
  for (const constructs::Team* team = task.team(); team != outer; team = encountering->team())
    encountering = team->encountering;
  return encountering;
}

} // namespace

// What is allocated may go from the original to the copy of the thread that combines, and be that one's from then on.
bool RaceCheck::is_variable_of_team(const ThreadState& thread, Address address) const {
  return constructs::is_in_frames_around(*thread.task, address) ||
         (!thread.in_stack(address) && (memory_ == nullptr || memory_->is_static(address)));
}

bool RaceCheck::there_for_team(ThreadState& thread, StrandId past, Address address) const {
  const constructs::Task* const encountering = encountered_in_unit(*thread.task);
  if (constructs::is_in_frames_around(encountering != nullptr ? *encountering : *thread.task, address)) return true;
  if (thread.in_stack(address)) return false;
  if (memory_ == nullptr) return true;
  if (encountering != nullptr) { // whose memory it may be as well
    const ThreadId past_thread{tables_.task(tables_.block_of(past).task).thread};
    return std::ranges::all_of(std::array{thread.id, past_thread, encountering->thread()},
                               [&](ThreadId one) { return memory_->around(address, one).shared; });
  }
  for (const MemoryExtent& own : thread.own)
    if (address - own.begin < own.end - own.begin) return false;
  const order::TaskRecord& other = tables_.task(tables_.block_of(past).task);
  const bool same_thread = other.is_of(thread.id);
  if (same_thread && known_to_be_shared(thread, address)) return true;
  const std::uint64_t ended = ended_.load(std::memory_order_relaxed); // before the block is looked for
  const MemoryExtent extent = memory_->around(address, same_thread ? thread.id : ThreadId{other.thread});
  if (!extent.shared)
    thread.own[thread.next_own++ % thread.own.size()] = extent;
  else if (same_thread && extent.end - extent.begin >= least_ended)
    thread.shared[thread.next_shared++ % thread.shared.size()] = {ended, extent};
  return extent.shared;
}

bool RaceCheck::known_to_be_shared(const ThreadState& thread, Address address) const noexcept {
  const std::uint64_t ended = ended_.load(std::memory_order_relaxed);
  return std::ranges::any_of(thread.shared, [&](const ThreadState::Shared& known) {
    return address - known.extent.begin < known.extent.end - known.extent.begin && known.ended == ended;
  });
}

RaceCheck::Verdict RaceCheck::judge(ThreadState& thread, Cell past, Cell now, Address granule) {
  // Data of the thread's own is never raced for: what is remembered about the order is good enough. A read stays beside
  // a write, however they are ordered.
  const order::StrandBlock& block = tables_.block_of(past.strand());
  const bool combined = constructs::has_combined_in(*thread.task, past.strand(), block.chain);
  if (!combined && (!writes(now.kind()) || thread.was_concurrent(past.strand()) || thread.in_tls(granule)) &&
      per_thread_data(thread, past.strand(), granule))
    return Verdict::harmless;
  const bool excluded = locksets_.intersect(block.held_by(past.strand()), thread.task->now().lockset);
  if (before(thread, past.strand(), order::Levels::near)) return Verdict::ordered;
  Verdict otherwise = Verdict::harmless;
  if (assigned_before(thread, past.strand())) {
    otherwise = Verdict::ordered;
    if (!(combined ? is_variable_of_team(thread, granule) : shared_by_team(thread, past.strand(), granule))) {
      // It reads in memory of its own what it wrote there in another worksharing construct or chunk: what it has done
      // may decide what it does.
      const bool reads = !writes(now.kind()) && !constructs::combines(*thread.task);
      if (reads && block.work.construct() != ContextId::none) constructs::identify(thread);
      return otherwise;
    }
    ++thread.met_earlier_units;
  }
  if (excluded) return otherwise;
  if (!combined && per_thread_data(thread, past.strand(), granule)) {
    if (otherwise == Verdict::harmless) found_concurrent(thread, past.strand());
    return otherwise;
  }
  if (passed_on(thread, past.strand(), granule)) return Verdict::ordered;
  if (ignored(granule) || (memory_ != nullptr && memory_->is_cxx_library(granule)) ||
      copy_of_both(thread, past, now, granule) || handed_over(thread, past.strand(), granule))
    return otherwise;
  const constructs::Task& task = *thread.task;
  const bool observed = observed_order_counts_ && task.known().has_observed() &&
                        order::observed_before(tables_, past.strand(), constructs::position(task));
  // Asked last: where tasks nest a hundred thousand deep it takes as many steps.
  const auto really_before = [&] { return before(thread, past.strand(), order::Levels::all); };
  if (!observed) return really_before() ? Verdict::ordered : Verdict::race;
  // Whether a lock was tested in vain is not known yet, nor how a thread's units of work could be distinguished.
  if (thread.tested != 0 || otherwise == Verdict::ordered) return otherwise;
  const predict::Question question{past.strand(), task.known(), task.chain(), now.strand()};
  const unsigned met = past.mask() & now.mask();
  const auto place = [&](Cell of) {
    const ContextId site = calls_.place_of(of.site(), static_cast<std::uint8_t>(met & -met));
    return predict::Place{calls_.pc(site), calls_.pc(calls_.caller(site))};
  };
  return prediction_.race(question, place(now), place(past)) && !really_before() ? Verdict::predicted
                                                                                 : Verdict::harmless;
}

// What the reader did next may depend on the value. Which of several writes it was is not known: each is taken for it.
void RaceCheck::read_from(ThreadState& thread, StrandId reader, StrandId writer) {
  if (!thread.counting && thread.read_from(writer)) prediction_.log().read_from(thread.reads_told, reader, writer);
}

void RaceCheck::read_from(ThreadState& thread, StrandId writer) {
  if (thread.task == nullptr || thread.off > 0 || thread.has_read_from(writer)) return;
  if (thread.strand() == StrandId::none && !open_strand(thread)) return;
  if (thread.strand() != writer && still_concurrent(thread, writer)) read_from(thread, thread.strand(), writer);
}

bool RaceCheck::is_in_a_stack(Address address) const {
  const memory::SpinGuard guard(attached_lock_);
  return std::ranges::any_of(attached_, [address](const ThreadState* thread) { return thread->in_stack(address); });
}

// What a task put in memory of its thread's own, a later task of that thread may have found there, and the memory with
// it that it leads to: a node of the thread's list. On another thread it would have found other memory. Variables
// are not found so: modules' have names, except for arrays of nodes, and a stack is its own thread's.
bool RaceCheck::passed_on(const ThreadState& thread, StrandId past, Address address) const {
  const constructs::Task& task = *thread.task;
  if (!task.known().has_passed() || memory_ == nullptr || memory_->is_named(address) || is_in_a_stack(address))
    return false;
  return order::passed_before(tables_, past, constructs::position(task));
}

// Who did it. An undeferred task that went on in its creator's strand has no record by then, or not this strand.
order::RecordId RaceCheck::task_of(ThreadState& thread, StrandId strand, ContextId site) {
  const order::RecordId of_strand = tables_.block_of(strand).task;
  const ContextId creation = calls_.part_of(site);
  if (creation == ContextId::none) return of_strand;
  if (strand == thread.strand()) return constructs::record_of(thread, *thread.task);
  const order::TaskRecord& creator = tables_.task(of_strand);
  if (creator.creation == creation) return of_strand; // its own strand, after it had ended its creator's
  const order::RecordId made = tables_.new_task(thread.indices, order::TaskRecord{.parent = of_strand,
                                                                                  .creation = creation,
                                                                                  .id = TaskId::none,
                                                                                  .thread = creator.thread,
                                                                                  .kind = TaskKind::explicit_,
                                                                                  .taskloop = false,
                                                                                  .of_league = false,
                                                                                  .detailed = false,
                                                                                  .traits = {}});
  return made != order::RecordId::none ? made : of_strand;
}

void RaceCheck::report(ThreadState& thread, Address granule, Cell past, Cell now, bool predicted) {
  const auto both = static_cast<std::uint8_t>(past.mask() & now.mask());
  const Address address = granule + static_cast<unsigned>(std::countr_zero(both));
  const bool is_part = thread.whole.contain(address) && thread.whole_pc == calls_.pc(now.site());
  const bool assigned = assigned_before(thread, past.strand());
  const Race race{.thread = &thread,
                  .address = address,
                  .later_bytes = is_part ? thread.whole : bytes_around(address, now.mask()),
                  .earlier_bytes = bytes_around(address, past.mask()),
                  .later = now.strand(),
                  .earlier = past.strand(),
                  .later_task = task_of(thread, now.strand(), now.site()),
                  .earlier_task = task_of(thread, past.strand(), past.site()),
                  .later_site = now.site(),
                  .earlier_site = past.site(),
                  .later_kind = now.kind(),
                  .earlier_kind = past.kind(),
                  .predicted = predicted,
                  .assigned = assigned,
                  .divided = assigned && constructs::is_in_piece(*thread.task),
                  .alone = (assigned || past == now) && thread.task->team() != nullptr && thread.task->team()->open};
  const Repeats repeats = listener_.race(race);
  if (repeats != Repeats::none) thread.reported.add(past.site(), now.site());
  if (repeats == Repeats::same_places) thread.reported.add(calls_.pc(past.site()), calls_.pc(now.site()));
}

void RaceCheck::race_with_like(ThreadState& thread, Address address, std::size_t size, Address pc) {
  if (thread.in_checker) return;
  const InChecker in(thread);
  const Address granule = address & ~Address{7};
  if (!begin(thread, address) || thread.in_tls(address) || ignored(granule) ||
      (memory_ != nullptr && memory_->is_cxx_library(granule)) || !there_for_team(thread, thread.strand(), granule))
    return;
  const ContextId place = site(thread, pc);
  if (thread.reported.has(place, place)) return;
  const auto bytes = static_cast<std::uint8_t>(((1u << std::min<std::size_t>(size, 8)) - 1) << (address & 7));
  const Cell write(thread.strand(), place, Kind::write, bytes);
  report(thread, granule, write, write, false);
}

bool RaceCheck::may_be_own(ThreadState& thread, Address address) {
  if (thread.in_checker) return true;
  const InChecker in(thread);
  return !begin(thread, address) || !there_for_team(thread, thread.strand(), address & ~Address{7});
}

void RaceCheck::ignore(Address address, std::size_t size) {
  const memory::SpinGuard guard(ignored_lock_);
  ignored_[address] = address + size;
  any_ignored_.store(true, std::memory_order_release);
}

bool RaceCheck::ignored(Address address) const {
  // No process has memory there: an access through a null pointer, which the program does not survive.
  constexpr Address first_page_end = 4096;
  if (address < first_page_end) return true;
  if (!any_ignored_.load(std::memory_order_acquire)) return false;
  const memory::SpinGuard guard(ignored_lock_);
  const auto after = ignored_.upper_bound(address + 7);
  return after != ignored_.begin() && address < std::prev(after)->second;
}

void RaceCheck::use_as_copy(Address address, std::size_t size) {
  const memory::SpinGuard guard(ignored_lock_);
  copies_[address] = address + size;
  any_copies_.store(true, std::memory_order_release);
}

// The thread's tasks share its copy and what it owns: what is known to be so, and blocks that the thread allocated in
// the region, in the copy's constructor or in one of the tasks. A task that takes no part in a reduction races with
// them for it.
bool RaceCheck::copy_of_both(ThreadState& thread, Cell past, Cell now, Address granule) const {
  const order::TaskRecord& other = tables_.task(tables_.block_of(past.strand()).task);
  if (!thread.task->now().reduces || !other.has(order::Trait::reduces) || !other.is_of(thread.id)) return false;
  const auto both = static_cast<std::uint8_t>(past.mask() & now.mask());
  return is_copy(granule + static_cast<unsigned>(std::countr_zero(both)),
                 granule + static_cast<unsigned>(std::bit_width(both) - 1)) ||
         (!thread.in_stack(granule) && !there_for_team(thread, past.strand(), granule));
}

// A reduction's combination may take memory from one thread's copy and give it to another's. What the owner did with it
// before comes before what the new one does.
bool RaceCheck::handed_over(const ThreadState& thread, StrandId past, Address address) const {
  const order::StrandBlock& block = tables_.block_of(past);
  if (memory_ == nullptr || !constructs::combined_before(*thread.task, block.chain, past)) return false;
  const MemoryExtent extent = memory_->around(address, ThreadId{tables_.task(block.task).thread});
  return extent.heap && !extent.shared;
}

bool RaceCheck::is_copy(Address first, Address last) const {
  if (!any_copies_.load(std::memory_order_acquire)) return false;
  const memory::SpinGuard guard(ignored_lock_);
  const auto after = copies_.upper_bound(first);
  return after != copies_.begin() && last < std::prev(after)->second;
}

void RaceCheck::at_horizon() {
  prediction_.log().clear();
  shadow_.at_horizon();
}

void RaceCheck::end_of_life(ThreadState& thread, Address address, std::size_t size, MemoryKind kind, Address pc) {
  if (kind == MemoryKind::copy) {
    if (!any_copies_.load(std::memory_order_acquire)) return;
    const memory::SpinGuard guard(ignored_lock_);
    copies_.erase(copies_.lower_bound(address), copies_.lower_bound(address + size));
    any_copies_.store(!copies_.empty(), std::memory_order_release);
    return;
  }
  constexpr std::size_t most = 64 * 1024; // is looked at
  if (kind == MemoryKind::stack) {
    // As below: it stays recorded until another variable has the place, which its function writes first. Tasks that
    // begin on top of this one have new frames there.
    if (thread.off > 0) return;
    check_range(thread, address, std::min(size, most), Kind::write, CallTree::returning(pc));
    thread.stack_touched = std::min(thread.stack_touched, address);
    return;
  }
  if (size >= least_ended && (kind == MemoryKind::heap || kind == MemoryKind::mapping))
    ended_.fetch_add(1, std::memory_order_relaxed);
  if (kind == MemoryKind::runtime) {
    const memory::SpinGuard guard(ignored_lock_);
    ignored_.erase(address);
  }
  if (kind == MemoryKind::heap && thread.off <= 0) {
    // Freeing is a write to every byte: a concurrent access is a use after free, in another schedule or still to come.
    // So it stays recorded until the memory has a new owner.
    const std::size_t looked_at = std::min(size, most);
    check_range(thread, address, looked_at, Kind::write, CallTree::ending(pc));
    address += looked_at;
    size -= looked_at;
  }
  shadow_.clear(address, size);
}

} // namespace fletcher::access
