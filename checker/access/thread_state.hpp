// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the access path needs to know about the running thread, in two cache lines. Owned by the checker, reached by
// the instrumentation through one thread-local pointer. Not thread-safe: only its own thread touches it.
#pragma once

#include "checker/access/call_stack.hpp"
#include "checker/access/cells/bytes.hpp"
#include "checker/access/cells/cell.hpp"
#include "checker/access/glance.hpp"
#include "checker/access/memory_map.hpp"
#include "checker/access/ranges/told_ranges.hpp"
#include "checker/access/recording/change.hpp"
#include "checker/access/reported_pairs.hpp"
#include "checker/access/sharing/joint_reads.hpp"
#include "checker/access/sharing/shared_accesses.hpp"
#include "checker/access/watcher.hpp"
#include "checker/ids.hpp"
#include "checker/memory/append_log.hpp"
#include "checker/memory/hash.hpp"
#include "checker/memory/spin_lock.hpp"
#include "checker/order/observed.hpp"
#include "checker/order/strands.hpp"

#include <array>
#include <atomic>
#include <utility>

namespace fletcher {
class Checker;
namespace constructs {
class AtomicOrder;
struct Task;
} // namespace constructs
namespace order {
class Sweep;
}
} // namespace fletcher

namespace fletcher::access {

class RaceCheck;

struct alignas(64) ThreadState : Glance {
  static constexpr std::uint8_t careful_accesses = 32; ///< at each strand's beginning

  // Glance is the first two lines; the third one is read when an access is recorded.
private:
  StrandId strand_ = StrandId::none; ///< `mine` is of the same

public:
  StrandId horizon = StrandId::none; ///< all smaller ids are before everything to come
  CallStack stack;                   ///< shadow call stack, kept at function entry and exit
  std::int32_t off = 1; ///< > 0: accesses are not checked (serial part, paused, inside the runtime); see switch_off()
  bool in_checker = false;          ///< the checker's own code runs: interposed functions pass through
  bool asked_thread_number = false; ///< the current task called omp_get_thread_num()
  bool joins = false;               ///< the current strand's reads may share cells with others' (joint_reads.cpp)
  std::uint8_t careful = 0;         ///< so many more accesses are recorded by compare-and-swap (race_check.cpp)
  RaceCheck* races = nullptr;
  constructs::Task* task = nullptr; ///< the running task
  order::StrandTables* tables = nullptr;
  order::StrandTables::Ranges indices; ///< of its new strands, chains and tasks
  Checker* checker = nullptr;
  constructs::AtomicOrder* atomics = nullptr;     ///< the checker's; through it atomic operations are performed
  const std::atomic<bool>* locks_taken = nullptr; ///< prediction knows of a section of a lock
  std::atomic<Watcher*> watcher{nullptr};         ///< set while the thread runs
  Address tls_low = 0, tls_high = 0;     ///< the thread's own static TLS block, 0 where unknown; set by the tool
  Address errno_place = 0;               ///< in that block, the thread's errno; set by the tool
  Address stack_low = 0, stack_high = 0; ///< the thread's own stack, 0 where unknown; set by the tool
  Address part_base = 0;                 ///< the frames of the untied task that runs or ran last are below this
  bool untied = false;                   ///< the running task is: another thread may go on with it
  /// The current strand holds locks (in_section.cpp): in no unit of work, or where units make no difference; in one, on
  /// its own chain.
  bool in_section = false, in_unit_section = false;
  bool in_late_section = false; ///< in either, and prediction follows no sections any more
  bool in_any_section() const noexcept { return in_section || in_unit_section; }
  Address stack_touched = ~Address{0}; ///< lowest address of the own stack that is recorded in shadow memory
  ThreadId id = ThreadId::none;
  /// The current strand; none until its first recorded access.
  StrandId strand() const noexcept { return strand_; }
  void set_strand(StrandId now) noexcept {
    strand_ = now;
    mine[0] = mine[1] = Cell::telling_all(now);
    alike = Alike::itself(now);
    past_since = now;
    asked_since = number(now);
    next_past_since = resting = StrandId::none;
    joins = in_section = in_late_section = in_unit_section = false;
    own_chain = ChainId::none; // constructs::follow_own says which
  }
  /// A strand begins in which something is recorded.
  void open_strand(StrandId now) noexcept {
    const StrandId kept = next_past_since;
    set_strand(now);
    ++strands;
    careful = careful_accesses;
    if (is_first_of_unit() && now >= units_since && now < units_end) alike = Alike::twins(units_since, now);
    past_since = kept != StrandId::none ? kept : alike.first();
    asked_since = number(past_since);
  }
  /// The strand's task knows what others know that share its past, and what those have done that created it.
  void share_past(std::uint32_t past) noexcept { asked_since = past | shared_past; }
  /// What ended the strand tells the task nothing that OpenMP guarantees: it took or left a lock, or told others
  /// something. `past`: what past() was before. Void where the task learns something before the next strand.
  void keep_past(StrandId past) noexcept { next_past_since = past; }
  /// A strand is open, and only what keep_past() says is between it and one before it.
  bool same_past() const noexcept { return strand_ != StrandId::none && past_since != alike.first(); }
  /// The same of the strand that comes, where none is open.
  bool continues_past() const noexcept {
    return strand_ != StrandId::none ? past_since != alike.first() : next_past_since != StrandId::none;
  }
  /// As far as it knows its task takes turns with others, by locks and as a task of many, but tells nobody else where
  /// it is: of many reads that they make at the same line any may be lost where there are more than cells.
  bool by_turns() const noexcept { return released_in != turn; }
  /// Which past strands it remembers. Its thread may be running.
  void name_past(order::Sweep& sweep);
  StrandId past() const noexcept { return strand_ != StrandId::none ? past_since : next_past_since; }
  /// They nest. The thread's own, where a signal handler may interrupt one by another.
  void switch_off() noexcept { switch_by(1); }
  void switch_on() noexcept { switch_by(-1); }
  /// Its shadow memory, looked at where accesses are checked.
  void set_shadow(std::uint64_t* cells, std::uintptr_t mask) noexcept {
    cells_ = cells;
    mask_ = mask;
    switch_by(0);
  }
  bool in_tls(Address address) const noexcept { return address - tls_low < tls_high - tls_low; }
  /// Everybody sets and reads errno; nobody finds there who it is.
  bool is_errno(Address address) const noexcept { return (address ^ errno_place) < 8; }
  bool in_stack(Address address) const noexcept { return address - stack_low < stack_high - stack_low; }
  /// Of the own stack, and not touched so deep before.
  bool deeper_in_stack(Address address) const noexcept { return in_stack(address) && address < stack_touched; }
  void touch_stack(Address address) noexcept {
    if (!deeper_in_stack(address)) return;
    Address known = stack_touched;
    while (address < known &&
           !__atomic_compare_exchange_n(&stack_touched, &known, address, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    } // a signal handler may go deeper meanwhile
  }
  /// What the thread remembers of the addresses that it accesses: how deep its stack was touched, and that it may have
  /// read in thread-local memory who it is.
  bool has_to_remember(Address address) const noexcept { return in_tls(address) || deeper_in_stack(address); }
  /// The strand that a fence ended, where the thread has done nothing new and learned nothing since: it may spin.
  StrandId resting = StrandId::none;
  // Memories of recent answers, direct-mapped.
  struct Site {
    Address pc = 0;
    ContextId context = ContextId::none;
    ContextId site = ContextId::none;
  };
  static constexpr unsigned site_slot_bits = 10;
  std::array<Site, std::size_t{1} << site_slot_bits> sites{};
  /// In a recursion the same few places are met in many contexts by turns.
  static std::size_t site_slot(Address pc, ContextId context) noexcept {
    return memory::spread(pc ^ Address{number(context)} << 32) >> (64 - site_slot_bits);
  }
  Site& remembered(Address pc, ContextId context) noexcept { return sites[site_slot(pc, context)]; }
  const Site& remembered(Address pc, ContextId context) const noexcept { return sites[site_slot(pc, context)]; }
  /// Of a place that stands for two (CallTree::both), by their key; none where it cannot be had.
  Site& remembered_both(Address key, ContextId first) noexcept { return sites[site_slot(key ^ key >> 29, first)]; }
  /// Most tasks have one strand, the first of a block: the number of the block chooses the slot.
  static std::size_t strand_slot(StrandId past, std::size_t slots) noexcept {
    constexpr std::uint32_t block = order::StrandTables::strands_per_block;
    return (number(past) / block + number(past) % block * (slots / block)) % slots;
  }
  /// The first of the strands whose past the current one has: its twins, and those that only locks are between. And of
  /// those that the next one will have, as far as is known; else none.
  StrandId past_since = StrandId::none, next_past_since = StrandId::none;
  /// Tasks of a recursion know the same, until they wait for one or learn something else, except for what those have
  /// done that created them: they share their past, which has a number of its own. By this number it is remembered
  /// which other strands are concurrent with them all, so that each of many small tasks need not find that out anew;
  /// and by the number of `past_since` where nothing is shared.
  static constexpr std::uint32_t shared_past = 1u << 31;
  static_assert(Cell::strand_bits < 31);
  std::uint32_t asked_since = 0;
  /// Strands of a chain, those from `first` to `last`, that were concurrent with a strand when it asked, the past of
  /// which was this, or with all that share it.
  struct Concurrent {
    ChainId chain = ChainId::none;
    std::uint32_t since = 0;
    StrandId first = StrandId::none, last = StrandId::none;
  };
  std::array<Concurrent, 128> concurrent{};
  /// Threads take chains by the 16; where each needs one only, they differ in what is above.
  static std::size_t chain_slot(ChainId chain) noexcept {
    return (number(chain) ^ number(chain) >> 4) % std::tuple_size_v<decltype(concurrent)>;
  }
  bool was_concurrent(StrandId past) const noexcept {
    const ChainId chain = tables->block_of(past).chain;
    const Concurrent& memo = concurrent[chain_slot(chain)];
    return (memo.chain == chain) & ((memo.since == asked_since) | (memo.since == number(past_since))) &
           (memo.first <= past) & (past <= memo.last);
  }
  /// `of_leaf`: its task has ended and created none, so that none of those that share the past come after it.
  void found_concurrent(StrandId past, StrandId last, bool of_leaf) noexcept {
    const ChainId chain = tables->block_of(past).chain;
    concurrent[chain_slot(chain)] = {chain, of_leaf ? asked_since : number(past_since), past, last};
  }
  /// Strands known to come before the running task, each with the turn that it was found in: a new turn empties it.
  /// And what the task did itself, on `own_chain` from `own_since` on: each section of a lock ends a strand, so that
  /// the task meets ever new ones of its own.
  std::array<std::uint64_t, 256> ordered{};
  ChainId own_chain = ChainId::none; ///< of the current strand
  StrandId own_since = StrandId::none;
  std::uint32_t turn = 1;        ///< changes with the running task
  std::uint32_t released_in = 0; ///< the turn in which it last released something by other means than locks
  std::uint64_t found_now(StrandId past) const noexcept { return (std::uint64_t{turn} << 32) | number(past); }
  bool known_before(StrandId past) const noexcept {
    return ordered[strand_slot(past, ordered.size())] == found_now(past) || is_own(past);
  }
  bool is_own(StrandId past) const noexcept { return past >= own_since && tables->block_of(past).chain == own_chain; }
  void found_before(StrandId past) noexcept { ordered[strand_slot(past, ordered.size())] = found_now(past); }
  void forget_order() noexcept {
    if (++turn != 0) return;
    ordered.fill(0);
    reads_from.fill(0);
    settled.fill({});
    learned.fill({});
    turn = 1;
  }
  /// A read that found no place among its granule's cells, the first of which was `first`. As long as that is so, the
  /// strand's next such read finds nothing else.
  struct Unrecorded {
    Address granule = 0;
    std::uint64_t first = 0, need = 0;
    StrandId strand = StrandId::none;
    friend bool operator==(const Unrecorded&, const Unrecorded&) = default;
  };
  std::array<Unrecorded, 8> unrecorded{};
  std::uint32_t crowded = 0; ///< reads that four others made needless: every eighth is recorded, in no fixed rhythm
  bool may_crowd() noexcept {
    crowded = crowded * 0x9e3779b1 + 0x3c6ef373; // a linear congruential generator: loops have rhythms of their own
    return crowded >> 29 != 0;
  }
  /// Of those that the thread keeps, too, and so since long: one of 64.
  bool may_keep(bool usual) noexcept { return may_crowd() || (usual && (crowded >> 26 & 7) != 0); }
  /// Strands that are concurrent with the current one and read what it reads, both without locks; by `asked_since`.
  std::array<std::uint64_t, 64> in_crowd{};
  std::uint64_t beside_now(StrandId other) const noexcept { return std::uint64_t{asked_since} << 32 | number(other); }
  bool reads_beside(StrandId other) const noexcept {
    return in_crowd[strand_slot(other, in_crowd.size())] == beside_now(other);
  }
  void found_beside(StrandId other) noexcept { in_crowd[strand_slot(other, in_crowd.size())] = beside_now(other); }
  /// Places at which it has met crowds of reads at other places, and how often: the first few times its read is
  /// recorded among them, so that this place is reported as well as theirs.
  std::array<std::uint64_t, 64> places_in_crowd{};
  bool frequents(ContextId place) noexcept {
    constexpr std::uint64_t times = 16;
    std::uint64_t& known = places_in_crowd[number(place) % places_in_crowd.size()];
    const std::uint64_t here = std::uint64_t{asked_since} << 32 | std::uint64_t{number(place)} * (2 * times);
    if (known - here > times) known = here;
    if (known == here + times) return true;
    ++known;
    return false;
  }
  SharedAccesses shared_accesses;
  JointReads joint_reads;
  /// The open strand is a member's of a team, holds no lock, and knows nothing but what its thread did before that has
  /// published nothing since.
  void may_join() noexcept {
    joins = true;
    joint_reads.recall(alike, alike.first());
    if (alike.first() == strand_) joint_reads.begin();
  }
  Decisions decisions;
  Unrecorded& remembered_unrecorded(Address granule) noexcept { return unrecorded[granule / 8 % unrecorded.size()]; }
  /// Whose values prediction has been told that the running task read, as in `ordered`: what it does later comes after
  /// that read.
  std::array<std::uint64_t, 16> reads_from{};
  memory::AppendRange reads_told; ///< where prediction learns it
  bool has_read_from(StrandId writer) const noexcept {
    return reads_from[number(writer) % reads_from.size()] == found_now(writer);
  }
  /// Whether that is to be reported to prediction.
  bool read_from(StrandId writer) noexcept {
    return std::exchange(reads_from[number(writer) % reads_from.size()], found_now(writer)) != found_now(writer);
  }
  /// Of which strands prediction has been told that they may read again what a strand of this thread wrote.
  std::array<std::uint64_t, 16> read_again{};
  /// Whether that is to be reported to prediction.
  bool may_read_again(StrandId reader, StrandId writer) noexcept {
    const std::uint64_t now = (std::uint64_t{number(reader)} << 32) | number(writer);
    return std::exchange(read_again[number(reader) % read_again.size()], now) != now;
  }
  /// A granule whose cells were all in use, and recorded reads, or writes that `turn` says the task has read from,
  /// while the first was this one. The cell in the plane `own` is written anew (renew.cpp).
  struct Settled {
    Address granule = 0;
    std::uint64_t first = 0;
    std::uint32_t turn = 0; ///< 0: there are no writes
    std::uint8_t own = 0;
    std::uint8_t others = 0; ///< the bytes that other cells recorded at the same line
  };
  std::array<Settled, 128> settled{};
  Settled& settled_at(Address granule) noexcept { return settled[granule / 8 % settled.size()]; }
  Address last_in_section = 0; ///< a granule that it accessed in its last section of a lock
  std::uint32_t strands = 0;   ///< how many of its tasks' strands have accesses
  /// The first strand of the units of work (constructs/teams/work.cpp) that this thread executed one after the other
  /// since, each in a strand of its own, without releasing or learning anything. None where there are none. The ids up
  /// to `units_end` are no other task's.
  StrandId units_since = StrandId::none, units_end = StrandId::none;
  std::uint32_t strands_at_unit = 0;   ///< `strands` when the unit began
  std::uint32_t met_earlier_units = 0; ///< so many accesses of shared memory met what it did in earlier units
  /// The current strand is the first one of such a unit.
  bool is_first_of_unit() const noexcept { return units_since != StrandId::none && strands == strands_at_unit + 1; }
  StrandId tested_at = StrandId::none;
  /// What it reads in the section of a lock that begins goes nowhere but into the variable that it was read from: it
  /// learns nothing there that tells it who it is.
  bool only_updates = false;
  /// Nor does anybody else in a region, of what such a section writes.
  bool only_counts = false;
  bool counting = false; ///< it is in such a section: what it reads there decides nothing
  /// What it reads there goes on by memory only.
  bool keeps_inside = false;
  std::uint64_t tested = 0;          ///< the lock that its task tests, or has tested in vain; 0 where none
  std::array<MemoryExtent, 4> own{}; ///< memory found not to be shared; emptied when the thread allocates or frees
  std::uint8_t next_own = 0;
  /// Memory found to be there for the whole team, whose tasks this thread's are, while `ended` such stretches had
  /// ended.
  struct Shared {
    std::uint64_t ended = 0;
    MemoryExtent extent{};
  };
  std::array<Shared, 4> shared{};
  std::uint8_t next_shared = 0;
  /// What the tasks that it has left have put in memory of its own: a task that looks there comes after them, as far as
  /// memory is concerned that can have been handed on there. Void after a horizon.
  struct OwnMemory {
    order::Observed told;
    std::uint32_t turn = 0; ///< how many such tasks it has left
    StrandId horizon = StrandId::none;
    bool found = false; ///< by the running task, since it is on this thread
    /// Of an untied task, which tells beforehand what it will leave: in which strand it did so last on this thread.
    StrandId left_in = StrandId::none;
    /// Held where the running task comes to know of it in an access: no sweep goes on meanwhile.
    memory::SpinLock lock;
  } own_memory;
  ToldRanges told_ranges;
  /// Of a range that is worth it: the strand, or for a read one of its twins, has made the access before.
  bool has_told(const Pieces& pieces, Kind kind) const noexcept {
    return strand_ != StrandId::none &&
           told_ranges.tell(pieces, kind, strands, number(strand_) - number(alike.first()));
  }
  void remember_told(const Pieces& pieces, Kind kind) noexcept {
    if (strand_ != StrandId::none) told_ranges.remember(pieces, kind, strands);
  }
  Bytes whole;          ///< of the last range whose bytes belong together (check_whole), which is checked
  Address whole_pc = 0; ///< at this place

private:
  /// A signal handler finds a pair of shadow and mask that may be looked at.
  void switch_by(std::int32_t count) noexcept {
    if (std::atomic_ref(off).fetch_add(count, std::memory_order_relaxed) + count > 0) {
      shadow_mask = 0;
      std::atomic_signal_fence(std::memory_order_seq_cst);
      shadow = mine;
    } else {
      shadow = cells_;
      std::atomic_signal_fence(std::memory_order_seq_cst);
      shadow_mask = mask_;
    }
  }
  std::uint64_t* cells_ = mine;
  std::uintptr_t mask_ = 0;

public:
  // What matters where there are races, or flags and fences.
  ReportedPairs reported;
  /// A plain read that it repeated since the fence that `resting` is of, at one place: recorded with the first access
  /// of the next strand.
  struct Repeated {
    StrandId resting = StrandId::none;
    ContextId site = ContextId::none;
    Address granule = 0;
    std::uint64_t need = 0;
    friend bool operator==(const Repeated&, const Repeated&) = default;
  } read_at_rest;
  /// Which state of what a variable carries the task whose turn it was has learned (constructs/locks/atomic_order.cpp):
  /// by an operation that acquires, or else for its next fence.
  struct Learned {
    Address address = 0;
    std::uint32_t turn = 0, version = 0;
    bool by_acquire = false;
  };
  std::array<Learned, 16> learned{};
  Learned& learned_at(Address address) noexcept { return learned[(address >> 2 ^ address >> 8) % learned.size()]; }
  const Learned& learned_at(Address address) const noexcept {
    return learned[(address >> 2 ^ address >> 8) % learned.size()];
  }
  bool met_since_fence = false;  ///< relaxed operations met what others told, which the next fence tells its task
  std::uint32_t values_left = 0; ///< by operations that could have acquired something, and looked at no value
};

/// While it lives the thread runs the checker's own code: what that allocates is not the program's. There is never one
/// within another: what a signal handler does that interrupts the checker is not checked, because the checker may be
/// changing its tables, with their locks.
class InChecker {
public:
  explicit InChecker(ThreadState& thread) noexcept : thread_(thread) { thread.in_checker = true; }
  ~InChecker() { thread_.in_checker = false; }
  InChecker(const InChecker&) = delete;
  InChecker& operator=(const InChecker&) = delete;

private:
  ThreadState& thread_;
};

} // namespace fletcher::access
