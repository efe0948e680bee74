// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/order/strands.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace fletcher::order {

namespace {
// Giving pages back is a system call: done for ranges of this many blocks (1 MB).
constexpr std::uint32_t worth_discarding = 1u << 16;
constexpr std::size_t dependence_capacity = std::size_t{1} << 31;
/// A block keeps the index in place of the worksharing construct.
constexpr std::uint32_t most_joints = 1u << 20;
static_assert(most_joints <= 1u << WorkPlace::context_bits);

constexpr std::uint32_t capacity_of(unsigned strand_bits) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << strand_bits) / StrandTables::strands_per_block - 1);
}
} // namespace

StrandTables::StrandTables(unsigned strand_bits, std::uint32_t at_once)
    : Chains(capacity_of(strand_bits)), capacity_(capacity_of(strand_bits)), at_once_(at_once), blocks_(capacity_),
      tasks_(capacity_), details_(capacity_), dependences_(std::min(dependence_capacity, std::size_t{capacity_})),
      groups_(capacity_), joints_(most_joints) {}

// Those made one after the other are of different slots, so that a thread can keep several (access/cells/alike.hpp).
// Ids seldom follow each other so: they must be greater than those of strands that have just begun.
Joints::Found StrandTables::join(const Joint& joint) noexcept {
  return joints_.find_or_add(joint, [&](std::uint32_t index) {
    const auto take = [&] {
      return new_block(of_joints_, {.chain = joint_chain, .task = {}, .lockset = {}, .work = {ContextId{index}, 0}},
                       joint.strands[joint.count - 1]);
    };
    StrandId strand = take();
    for (unsigned more = joint_slots - 1;
         more > 0 && strand != StrandId::none && joint_slot(strand) != index % joint_slots; --more)
      strand = take();
    return strand;
  });
}

std::uint32_t StrandTables::take_blocks(Ranges& own) noexcept {
  const std::uint32_t at_once = std::min(std::exchange(own.blocks_at_once, at_once_), at_once_),
                      first = take_ids(own.blocks, next_block_, blocks_, block_ids_, at_once);
  if (first != 0) groups_.begin(first, own.blocks.end);
  return first;
}

std::uint32_t StrandTables::next_single_block(Ranges& own) noexcept {
  --own.blocks.next;
  Range single;
  const std::uint32_t first = take_new(single, next_block_, blocks_, 1);
  if (first != 0) groups_.begin(first, first + 1);
  return first;
}

std::pair<StrandId, StrandId> StrandTables::reserve_strands(Ranges& own, std::uint64_t count) noexcept {
  constexpr std::uint64_t most = std::uint64_t{1} << 16;
  const auto blocks = static_cast<std::uint32_t>(std::min(count, most) / strands_per_block + 1);
  refresh(own);
  const auto is_room_after = [&](std::uint32_t first) { return std::uint64_t{first} + blocks < capacity_; };
  // Not for the rest of what was reserved before, as each unit with several strands would come here: ids would be used
  // up.
  const bool is_enough = own.blocks.end - own.blocks.next >= std::min(blocks, usual_at_once);
  if (!is_enough && is_room_after(next_block_.load(std::memory_order_relaxed))) {
    if (const std::uint32_t first = next_block_.fetch_add(blocks, std::memory_order_relaxed); is_room_after(first)) {
      own.blocks = {first, first + blocks};
      groups_.begin(first, own.blocks.end);
    }
  }
  return {StrandId{own.blocks.next * strands_per_block}, StrandId{own.blocks.end * strands_per_block}};
}

void StrandTables::add_details(Ranges& own, RecordId id, std::uint16_t index,
                               std::span<const PackedDependence> list) noexcept {
  const auto count =
      static_cast<std::uint32_t>(std::min<std::size_t>(list.size(), std::numeric_limits<std::uint16_t>::max()));
  TaskDetails& details = details_[static_cast<std::uint32_t>(id)];
  details = {0, 0, index};
  task(id).detailed = true;
  if (count == 0) return;
  const std::uint32_t first = take_dependences(own, count);
  if (first == 0) return;
  std::copy_n(list.begin(), count, &dependences_[first]);
  details.first_dependence = first;
  details.dependences = static_cast<std::uint16_t>(count);
}

/// The first of `count` places that follow each other; 0 where there is no room.
std::uint32_t StrandTables::take_dependences(Ranges& own, std::uint32_t count) noexcept {
  refresh(own);
  if (own.dependences.end - own.dependences.next < count) {
    const std::uint32_t at_once = std::max(count, at_once_);
    memory::RecycledIds::Run run;
    if (dependence_ids_.any()) run = dependence_ids_.take(at_once, count);
    if (run.empty()) {
      run.first = next_dependence_.fetch_add(at_once, std::memory_order_relaxed);
      run.end = run.first + at_once;
      if (run.first >= dependences_.capacity() - at_once) {
        next_dependence_.fetch_sub(at_once, std::memory_order_relaxed);
        return 0;
      }
    }
    own.dependences = {run.first, run.end};
    count_taken((run.end - run.first) * sizeof(PackedDependence) / sizeof(StrandBlock));
  }
  return std::exchange(own.dependences.next, own.dependences.next + count);
}

StrandTables::Mark StrandTables::mark() const noexcept {
  return {next_block_.load(std::memory_order_relaxed), next_chain_.load(std::memory_order_relaxed),
          next_task_.load(std::memory_order_relaxed), next_dependence_.load(std::memory_order_relaxed)};
}

void StrandTables::pass_horizon(StrandId horizon) noexcept {
  joints_.clear();
  twins_.clear();
  generation_.fetch_add(1, std::memory_order_acq_rel); // what threads took before is older than the horizon
  const std::uint32_t last = number(horizon) / strands_per_block;
  horizon_block_ = last;
  block_ids_.clear();
  if (last - discarded_block_ < worth_discarding) return;
  blocks_.discard(discarded_block_, last);
  discarded_block_ = last;
}

bool StrandTables::worth_rewinding(const Mark& to) const noexcept {
  const Mark now = mark();
  return std::max({now.chain - to.chain, now.task - to.task, now.dependence - to.dependence}) >= worth_discarding;
}

void StrandTables::rewind(const Mark& to) noexcept {
  const Mark now = mark();
  generation_.fetch_add(1, std::memory_order_acq_rel);
  next_chain_.store(to.chain, std::memory_order_relaxed);
  next_task_.store(to.task, std::memory_order_relaxed);
  next_dependence_.store(to.dependence, std::memory_order_relaxed);
  chain_ids_.clear();
  task_ids_.clear();
  dependence_ids_.clear();
  if (now.chain - to.chain >= worth_discarding) chains_.discard(to.chain, now.chain);
  if (now.task - to.task >= worth_discarding) {
    tasks_.discard(to.task, now.task);
    details_.discard(to.task, now.task);
  }
  if (now.dependence - to.dependence >= worth_discarding) dependences_.discard(to.dependence, now.dependence);
}

void StrandTables::restart_strands() noexcept {
  joints_.clear();
  twins_.clear();
  blocks_.discard(0, next_block_.load(std::memory_order_relaxed));
  next_block_.store(first_entry, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_acq_rel);
  discarded_block_ = horizon_block_ = first_entry;
  block_ids_.clear();
}

void StrandTables::begin_sweep() {
  const auto given_out = [](const std::atomic<std::uint32_t>& next, std::size_t most) {
    return static_cast<std::uint32_t>(std::min<std::size_t>(next.load(std::memory_order_acquire), most));
  };
  block_ids_.begin(horizon_block_, given_out(next_block_, capacity_));
  chain_ids_.begin(first_entry, given_out(next_chain_, capacity_));
  task_ids_.begin(first_entry, given_out(next_task_, capacity_));
  dependence_ids_.begin(first_dependence, given_out(next_dependence_, dependences_.capacity()));
  twins_.each_first([this](StrandId first) { need(first); });
  const memory::SpinGuard guard(joints_.lock());
  joints_.begin_sweep();
  need(of_joints_);
}

// One that was taken during the sweep is not covered by it, but what it refers to may be.
void StrandTables::need(StrandId strand) noexcept {
  const std::uint32_t i = number(strand) / strands_per_block;
  if (i < horizon_block_ || (block_ids_.covers(i) && !block_ids_.need(i))) return;
  if (is_joint(strand)) {
    const Joint& joint = joint_of(strand);
    for (std::uint32_t of = 0; of < joint.count; ++of) need(joint.strands[of]);
    return;
  }
  need(blocks_[i].chain);
  need(blocks_[i].task);
}

void StrandTables::need(ChainId chain) noexcept {
  while (chain_ids_.covers(number(chain)) && chain_ids_.need(number(chain))) chain = forward_of(chain).chain;
}

void StrandTables::need(RecordId record) noexcept {
  const auto index = [](RecordId id) { return static_cast<std::uint32_t>(id); };
  if (index(record) >= first_entry && !task_ids_.covers(index(record))) record = task(record).parent;
  while (task_ids_.covers(index(record)) && task_ids_.need(index(record))) record = task(record).parent;
}

void StrandTables::need(StrandId first, StrandId end) noexcept {
  for (std::uint32_t i = number(first) / strands_per_block; i * strands_per_block < number(end); ++i)
    need(StrandId{i * strands_per_block}); // cells may have them, too
}

void StrandTables::need(const Ranges& own) noexcept {
  if (own.generation != generation_.load(std::memory_order_acquire)) return;
  block_ids_.need({own.blocks.next, own.blocks.end});
  chain_ids_.need({own.chains.next, own.chains.end});
  task_ids_.need({own.tasks.next, own.tasks.end});
  dependence_ids_.need({own.dependences.next, own.dependences.end});
}

bool StrandTables::end_sweep(bool certain) {
  task_ids_.each_needed([&](std::uint32_t i) {
    if (!tasks_[i].detailed) return;
    const TaskDetails details = details_[i];
    dependence_ids_.need({details.first_dependence, details.first_dependence + details.dependences});
  });
  const auto needed = [&](memory::RecycledIds& ids, std::uint32_t given_out) { return given_out - ids.end(certain); };
  const Mark now = mark();
  const std::size_t entries = std::size_t{needed(block_ids_, now.block - horizon_block_)} +
                              needed(chain_ids_, now.chain) + needed(task_ids_, now.task) +
                              needed(dependence_ids_, now.dependence) / 2;
  bytes_needed_.store(entries * sizeof(StrandBlock), std::memory_order_relaxed);
  return block_ids_.has_freed() || chain_ids_.has_freed() || task_ids_.has_freed() || dependence_ids_.has_freed();
}

void StrandTables::drop_free(ChainList& list) noexcept {
  ChainList kept;
  take(list, [&](ChainId chain) {
    if (!chain_ids_.is_free(number(chain))) append(kept, chain);
  });
  list = kept;
}

void StrandTables::open_sweep() noexcept {
  for (memory::RecycledIds* ids : {&block_ids_, &chain_ids_, &task_ids_, &dependence_ids_}) ids->open();
  entries_taken_.store(0, std::memory_order_relaxed);
  sweeps_.fetch_add(1, std::memory_order_relaxed);
}

} // namespace fletcher::order
