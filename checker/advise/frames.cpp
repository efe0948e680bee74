// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/advise/frames.hpp"

#include <algorithm>

namespace fletcher::advise {

namespace {

using graph::Record;
using graph::RecordKind;

struct Use {
  SegmentId segment;
  TaskId task;
};

bool contains(const StackRange& range, Address address) { return address - range.low < range.high - range.low; }

/// The part of a stack that is in use while some region goes on: the frames around the outermost one outlive it.
StackRange within_regions(const Run& run, const StackRange& stack) {
  StackRange out = stack;
  Address around = 0;
  for (const auto& [team, frames] : run.region_frames)
    if (contains(stack, frames)) around = std::max(around, frames);
  if (around != 0) out.high = around;
  return out;
}

/// By tasks that constructs made, of frames that are not their own.
std::vector<Use> uses(const Run& run, const Replay& order) {
  std::vector<StackRange> stacks;
  for (const auto& [thread, stack] : run.stacks) stacks.push_back(within_regions(run, stack));
  const auto on_stack = [&](Address address) {
    return std::any_of(stacks.begin(), stacks.end(), [&](const StackRange& one) { return contains(one, address); });
  };
  std::vector<Use> out;
  for (const Capture& capture : run.captures)
    if (on_stack(capture.address)) out.push_back({capture.segment, capture.task});
  for (const Access& access : run.accesses) {
    if (!on_stack(access.address)) continue;
    const TaskId task = order.task(access.segment);
    if (order.creation(task) == 0) continue;
    const auto base = run.stack_bases.find(task);
    const auto own = run.stacks.find(run.segments[access.segment].thread);
    const bool of_own_thread = own != run.stacks.end() && contains(own->second, access.address);
    if (of_own_thread && base != run.stack_bases.end() && access.address < base->second) continue;
    if (out.empty() || out.back().segment != access.segment) out.push_back({access.segment, task});
  }
  std::sort(out.begin(), out.end(), [](const Use& a, const Use& b) { return a.segment < b.segment; });
  return out;
}

bool is_around(const Replay& order, TaskId ancestor, TaskId task) {
  while (task != TaskId::none && task != ancestor) task = order.parent(task);
  return task == ancestor;
}

} // namespace

std::set<Construct> frame_keepers(const Run& run, const Replay& order) {
  std::unordered_map<TaskId, SegmentId> begins;
  for (SegmentId s = 0; s < run.segments.size(); ++s) begins.try_emplace(order.task(s), s);
  const std::vector<Use> all = uses(run, order);
  std::set<Construct> out;
  std::size_t patience = 100'000'000;
  for_each_record(run.records, [&](std::size_t end, const Record& record, std::span<const Record>) {
    const auto construct = waiting_construct(record);
    if (!construct || record.kind != RecordKind::sync_end || out.contains(*construct)) return;
    const TaskId waiter{record.first};
    auto use = std::lower_bound(all.begin(), all.end(), begins[waiter],
                                [](const Use& one, SegmentId since) { return one.segment < since; });
    for (; use != all.end() && run.segments[use->segment].records <= end; ++use)
      if (patience == 0 || construct->kind == Construct::Kind::barrier ||
          (use->task != waiter && is_around(order, waiter, use->task))) {
        out.insert(*construct);
        return;
      } else {
        --patience;
      }
  });
  return out;
}

} // namespace fletcher::advise
