// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables behind the ids in shadow memory: what a strand is, where a finished chain went, what a task was. All are
// reserved arrays indexed by id, read without a lock, and emptied when the horizon passes. What nobody needs any more
// before that a sweep (sweep.hpp) finds, and its ids are given out again.
#pragma once

#include "checker/events.hpp"
#include "checker/ids.hpp"
#include "checker/memory/recycled_ids.hpp"
#include "checker/memory/reserved.hpp"
#include "checker/order/block_groups.hpp"
#include "checker/order/chains.hpp"
#include "checker/order/joint.hpp"
#include "checker/order/packed_dependence.hpp"
#include "checker/order/strand_block.hpp"
#include "checker/order/task_record.hpp"
#include "checker/order/twins.hpp"

#include <array>
#include <atomic>
#include <utility>

namespace fletcher::order {

/// Thread-safe throughout; each operation O(1). On lines of its own, two of which some processors fetch together: all
/// threads read where the tables are.
class alignas(128) StrandTables : public Chains {
  struct Range {
    std::uint32_t next = 0, end = 0;
  };

public:
  static constexpr std::uint32_t strands_per_block = StrandBlock::strands;
  static constexpr unsigned most_strand_bits = 30; ///< what a shadow cell has room for (access/cells/cell.hpp)

  /// What a thread takes at once: 1 KB of each table.
  static constexpr std::uint32_t usual_at_once = 64;
  /// Of blocks, the first time after a horizon, as what is left at the next one is lost: many programs have a barrier
  /// after every few strands. A group's worth (block_groups.hpp).
  static constexpr std::uint32_t blocks_after_horizon = 16;

  /// `strand_bits`: how many ids the tables are reserved for. `at_once`: how many entries a thread takes. Throws
  /// nothing; see ok().
  explicit StrandTables(unsigned strand_bits = most_strand_bits, std::uint32_t at_once = usual_at_once);
  bool ok() const noexcept {
    return static_cast<bool>(blocks_) && static_cast<bool>(chains_) && static_cast<bool>(tasks_) &&
           static_cast<bool>(details_) && static_cast<bool>(dependences_) && static_cast<bool>(groups_) &&
           static_cast<bool>(joints_);
  }

  /// Indices that one thread took for itself, a cache line's worth or more of each table, so that threads that make
  /// tasks do not write to the same lines. Void after a horizon.
  struct Ranges {
    std::uint32_t generation = 0;
    std::uint32_t blocks_at_once = blocks_after_horizon;
    Range blocks, chains, tasks, dependences;
  };

  /// The first of strands_per_block new ids, all greater than `after`; none when the id space is used up.
  StrandId new_block(Ranges& own, const StrandBlock& block, StrandId after) noexcept {
    refresh(own);
    std::uint32_t i = own.blocks.next != own.blocks.end ? own.blocks.next++ : take_blocks(own);
    // The chain went on here from a thread that took its indices later: the shared counter is beyond both.
    if (i * strands_per_block <= number(after) && i != 0) [[unlikely]]
      i = next_single_block(own);
    if (i == 0) [[unlikely]]
      return StrandId::none;
    blocks_[i] = block;
    groups_.note(i, block);
    return StrandId{i * strands_per_block};
  }
  /// The thread's next block, except for the detour that new_block() makes then, has no greater ids than `after`: it
  /// has been given out again, or the chain comes from a thread that took its indices later.
  bool goes_back(Ranges& own, StrandId after) noexcept {
    refresh(own);
    if (own.blocks.next == own.blocks.end) [[unlikely]]
      if (const std::uint32_t first = take_blocks(own)) own.blocks.next = first;
    return own.blocks.next != own.blocks.end && own.blocks.next * strands_per_block <= number(after);
  }
  /// The blocks that the thread takes next have ids of this range, as long as it is not used up: `count` ids that
  /// follow each other, but not more than some ten thousand, or what is left of an earlier range and fills some blocks.
  std::pair<StrandId, StrandId> reserve_strands(Ranges& own, std::uint64_t count) noexcept;
  const StrandBlock& block_of(StrandId s) const noexcept { return blocks_[number(s) / strands_per_block]; }
  Holding holding(StrandId s) const noexcept { return groups_.holding(s, blocks_); }
  LocksetId lockset_of(StrandId s) const noexcept { return holding(s).lockset; }

  /// An id for all the strands of `joint`, none of which holds a lock: greater than theirs; none where there is none.
  Joints::Found join(const Joint& joint) noexcept;
  bool is_joint(StrandId s) const noexcept { return block_of(s).chain == joint_chain; }
  const Joint& joint_of(StrandId s) const noexcept { return joints_[number(block_of(s).work.construct())]; }
  /// All of the chain's strands in the run are twins.
  void note_twins(ChainId chain, Twins::Run run) noexcept { twins_.note(chain, run); }
  /// The first of its twins, or itself.
  StrandId first_twin(StrandId s) const noexcept {
    const Twins::Run run = twins_of(block_of(s).chain);
    return run.has(s) ? run.first : s;
  }
  /// Those of a thread's latest units of work, as far as that is remembered.
  Twins::Run twins_of(ChainId chain) const noexcept {
    const Twins::Run run = twins_.latest(chain);
    return run.first != StrandId::none && block_of(run.first).chain == chain ? run : Twins::Run();
  }
  /// How often what joint strands mean was forgotten.
  std::uint32_t generation_of_joints() const noexcept { return joints_.generation(); }

  ChainId new_chain(Ranges& own) noexcept {
    refresh(own);
    const std::uint32_t i = next(own.chains, next_chain_, chains_, chain_ids_, at_once_);
    if (i == 0) [[unlikely]]
      return ChainId::none;
    begin_chain(ChainId{i});
    return ChainId{i};
  }

  RecordId new_task(Ranges& own, const TaskRecord& record) noexcept {
    refresh(own);
    const std::uint32_t i = next(own.tasks, next_task_, tasks_, task_ids_, at_once_);
    if (i == 0) [[unlikely]]
      return RecordId::none;
    TaskRecord& t = tasks_[i];
    t.parent = record.parent;
    t.creation = record.creation;
    t.id = record.id;
    t.thread = record.thread;
    t.kind = record.kind;
    t.taskloop = record.taskloop;
    t.of_league = record.of_league;
    t.detailed = false;
    t.traits.store(0, std::memory_order_relaxed);
    return RecordId{i};
  }
  TaskRecord& task(RecordId id) const noexcept { return tasks_[static_cast<std::uint32_t>(id)]; }
  /// Keeps what only some tasks have: the index of an implicit one, and depend clauses for reports. Before others know
  /// of the record.
  void add_details(Ranges& own, RecordId id, std::uint16_t index, std::span<const PackedDependence> list) noexcept;
  TaskDetails details_of(RecordId id) const noexcept {
    return task(id).detailed ? details_[static_cast<std::uint32_t>(id)] : TaskDetails{};
  }
  auto dependences_of(RecordId id) const noexcept {
    const TaskDetails details = details_of(id);
    return unpacked({&dependences_[details.first_dependence], details.dependences});
  }

  /// Where the tables are.
  std::array<std::span<const std::byte>, 6> ranges() const noexcept {
    return {blocks_.range(), chains_.range(), tasks_.range(), details_.range(), dependences_.range(), groups_.range()};
  }
  /// The id that the next block will get.
  StrandId next_strand() const noexcept {
    return StrandId{next_block_.load(std::memory_order_relaxed) * strands_per_block};
  }
  /// A strand could not be given an id: what it did was not checked.
  bool used_up() const noexcept { return next_block_.load(std::memory_order_relaxed) >= capacity_; }
  bool nearly_exhausted() const noexcept { return next_block_.load(std::memory_order_relaxed) > capacity_ / 8 * 7; }

  /// How much the tables hold at some moment; what came later can be dropped when nobody asks any more.
  struct Mark {
    std::uint32_t block, chain, task, dependence;
  };
  Mark mark() const noexcept;
  // A sweep (order/sweep.hpp): the entries that are named are needed, and with them all that they refer to. Threads may
  // take new entries meanwhile.
  void begin_sweep();
  void need(StrandId strand) noexcept;
  void need(ChainId chain) noexcept;
  void need(RecordId record) noexcept;
  /// The blocks of [first, end).
  void need(StrandId first, StrandId end) noexcept;
  /// What the thread has taken and not yet used.
  void need(const Ranges& own) noexcept;
  /// All has been named; see RecycledIds::end.
  bool end_sweep(bool certain);
  const memory::RecycledIds& chain_ids() const noexcept { return chain_ids_; }
  /// Nobody will ask about the list's chains that are free: it forgets them.
  void drop_free(ChainList& list) noexcept;
  /// Nobody refers to what is free any more.
  void open_sweep() noexcept;
  /// How often ids may have come to mean something else.
  std::uint32_t sweeps() const noexcept { return sweeps_.load(std::memory_order_relaxed); }
  /// `alarm` is called once so many bytes have been taken since the last sweep, by the thread that takes them.
  void set_alarm(void (*alarm)()) noexcept { alarm_ = alarm; }
  void set_alarm_at(std::size_t bytes) noexcept {
    alarm_at_.store(bytes / sizeof(StrandBlock), std::memory_order_relaxed);
  }
  /// How much has been taken since the last sweep, and how much of the tables was needed then.
  std::size_t bytes_taken() const noexcept {
    return entries_taken_.load(std::memory_order_relaxed) * sizeof(StrandBlock);
  }
  std::size_t bytes_needed() const noexcept { return bytes_needed_.load(std::memory_order_relaxed); }

  /// Everything before the horizon is over: gives back the blocks before it.
  void pass_horizon(StrandId horizon) noexcept;
  /// All tasks made since `mark` are over and ordered before what comes: their chains and records are used again.
  void rewind(const Mark& mark) noexcept;
  /// Enough has come since `mark` to give pages back.
  bool worth_rewinding(const Mark& mark) const noexcept;
  /// Starts strand ids from the beginning. The caller has emptied shadow memory.
  void restart_strands() noexcept;

private:
  static constexpr std::uint32_t first_entry = usual_at_once; ///< 0 is none: its lines are left out
  /// In the block of a joint strand: no task is on that chain.
  static constexpr ChainId joint_chain{1};
  static_assert(number(joint_chain) < first_entry);
  static constexpr std::uint32_t bytes_filled_at_once = 1u << 16;
  static constexpr std::uint32_t first_dependence = 1;

  /// The next index of `own`, or 0 when the table is full. Here and not in the other file, as are those who ask: what
  /// is put into a table then goes there straight from registers.
  template <class T>
  std::uint32_t next(Range& own, std::atomic<std::uint32_t>& shared, memory::ReservedArray<T>& table,
                     memory::RecycledIds& recycled, std::uint32_t at_once) noexcept {
    if (own.next == own.end) [[unlikely]]
      return take_ids(own, shared, table, recycled, at_once);
    return own.next++;
  }
  template <class T>
  [[gnu::noinline]] std::uint32_t take_ids(Range& own, std::atomic<std::uint32_t>& shared,
                                           memory::ReservedArray<T>& table, memory::RecycledIds& recycled,
                                           std::uint32_t at_once) noexcept {
    if (recycled.any())
      if (const memory::RecycledIds::Run run = recycled.take(at_once); !run.empty()) {
        own = {run.first + 1, run.end};
        count_taken(run.end - run.first);
        return run.first;
      }
    return take_new(own, shared, table, at_once);
  }
  template <class T>
  std::uint32_t take_new(Range& own, std::atomic<std::uint32_t>& shared, memory::ReservedArray<T>& table,
                         std::uint32_t at_once) noexcept {
    const std::uint32_t first = shared.fetch_add(at_once, std::memory_order_relaxed);
    if (first >= capacity_ - at_once) {
      shared.store(capacity_, std::memory_order_relaxed);
      return 0;
    }
    own = {first + 1, first + at_once};
    count_taken(at_once);
    // The lines that come next are nobody's until then, and no processor foresees them: threads take turns.
    for (std::uint32_t i = 0; i < at_once; i += 64 / sizeof(T)) __builtin_prefetch(&table[first + i], 1);
    constexpr std::uint32_t step = bytes_filled_at_once / sizeof(T);
    if (const std::uint32_t coming = own.end / step; coming != first / step)
      table.populate(std::size_t{coming} * step, std::size_t{coming + 1} * step);
    return first;
  }
  void count_taken(std::size_t entries) noexcept {
    const std::size_t before = entries_taken_.fetch_add(entries, std::memory_order_relaxed),
                      at = alarm_at_.load(std::memory_order_relaxed);
    if (before < at && before + entries >= at && alarm_ != nullptr) [[unlikely]]
      alarm_();
  }
  /// As take_ids().
  std::uint32_t take_blocks(Ranges& own) noexcept;
  std::uint32_t next_single_block(Ranges& own) noexcept;
  std::uint32_t take_dependences(Ranges& own, std::uint32_t count) noexcept;
  void refresh(Ranges& own) const noexcept {
    if (const std::uint32_t now = generation_.load(std::memory_order_acquire); own.generation != now) [[unlikely]]
    {
      own = {};
      own.generation = now;
    }
  }

  std::uint32_t capacity_, at_once_;
  std::atomic<std::uint32_t> generation_{1}; ///< of Ranges
  memory::ReservedArray<StrandBlock> blocks_;
  memory::ReservedArray<TaskRecord> tasks_;
  memory::ReservedArray<TaskDetails> details_; ///< by RecordId
  memory::ReservedArray<PackedDependence> dependences_;
  BlockGroups groups_;
  std::uint32_t discarded_block_ = first_entry;
  std::uint32_t horizon_block_ = first_entry; ///< blocks before it are over
  memory::RecycledIds block_ids_, chain_ids_, task_ids_, dependence_ids_;
  Twins twins_;
  Joints joints_;
  Ranges of_joints_; ///< guarded by their lock
  std::atomic<std::size_t> bytes_needed_{0};
  std::atomic<std::uint32_t> sweeps_{0};
  void (*alarm_)() = nullptr;
  std::atomic<std::size_t> alarm_at_{0}; ///< entries
  // Written by all threads, each on a line of its own.
  alignas(64) std::atomic<std::uint32_t> next_block_{first_entry};
  alignas(64) std::atomic<std::uint32_t> next_chain_{first_entry};
  alignas(64) std::atomic<std::uint32_t> next_task_{first_entry};
  alignas(64) std::atomic<std::uint32_t> next_dependence_{first_dependence};
  alignas(64) std::atomic<std::size_t> entries_taken_{0};
};

} // namespace fletcher::order
