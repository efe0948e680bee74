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
  Address address;
};

/// What is known of the task that waits.
struct Waiter {
  SegmentId begin = 0;
  TeamId team = TeamId::none; ///< of an implicit task
};

bool contains(const StackRange& range, Address address) { return address - range.low < range.high - range.low; }

std::vector<Use> uses(const Run& run, const Replay& order) {
  std::vector<Use> out;
  for (const Capture& capture : run.captures) out.push_back({capture.segment, capture.task, capture.address});
  for (const Access& access : run.accesses) {
    const auto on_stack = [&](const auto& stack) { return contains(stack.second, access.address); };
    if (std::none_of(run.stacks.begin(), run.stacks.end(), on_stack)) continue;
    const TaskId task = order.task(access.segment);
    const auto base = run.stack_bases.find(task);
    const auto own = run.stacks.find(run.segments[access.segment].thread);
    if (own != run.stacks.end() && contains(own->second, access.address) &&
        (base == run.stack_bases.end() || access.address < base->second))
      continue; // its own
    if (out.empty() || out.back().segment != access.segment || out.back().address != access.address)
      out.push_back({access.segment, task, access.address});
  }
  std::sort(out.begin(), out.end(), [](const Use& a, const Use& b) { return a.segment < b.segment; });
  return out;
}

/// Where the frames of the task are that it may still leave: not those around its region.
StackRange frames_of(const Run& run, const Record& wait, Address stack_pointer, const Waiter& waiter) {
  const auto stack = run.stacks.find(ThreadId{wait.thread});
  if (stack == run.stacks.end()) return {};
  StackRange range = stack->second;
  if (const auto base = run.stack_bases.find(TaskId{wait.first});
      base != run.stack_bases.end() && contains(range, base->second))
    range.high = base->second;
  else if (const auto around = run.region_frames.find(waiter.team);
           around != run.region_frames.end() && contains(range, around->second))
    range.high = around->second;
  if (contains(range, stack_pointer)) range.low = stack_pointer;
  return range;
}

} // namespace

std::set<Construct> frame_keepers(const Run& run, const Replay& order) {
  std::unordered_map<TaskId, Waiter> waiters;
  for (SegmentId s = 0; s < run.segments.size(); ++s) waiters.try_emplace(order.task(s), Waiter{s, TeamId::none});
  std::unordered_map<TaskId, std::size_t> open;
  std::unordered_map<std::size_t, std::size_t> ends; // of waits, by their begins
  for_each_record(run.records, [&](std::size_t i, const Record& record, std::span<const Record>) {
    const TaskId task{record.first};
    if (record.kind == RecordKind::implicit_task_begin) waiters[task].team = TeamId{record.second};
    if (!waiting_construct(record)) return;
    if (record.kind == RecordKind::sync_begin)
      open[task] = i;
    else if (const auto begin = open.find(task); begin != open.end())
      ends[begin->second] = i;
  });
  const std::vector<Use> all = uses(run, order);
  std::set<Construct> out;
  std::size_t patience = 100'000'000;
  for (const Wait& wait : run.waits) {
    const Record& record = run.records[wait.record];
    const auto construct = waiting_construct(record);
    if (!construct || out.contains(*construct)) continue;
    const Waiter& waiter = waiters[TaskId{record.first}];
    const StackRange frames = frames_of(run, record, wait.stack_pointer, waiter);
    const auto end = ends.find(wait.record);
    const auto first = std::lower_bound(all.begin(), all.end(), waiter.begin,
                                        [](const Use& use, SegmentId since) { return use.segment < since; });
    for (auto use = first; use != all.end(); ++use) {
      if (end != ends.end() && run.segments[use->segment].records > end->second) break;
      if (patience == 0 || (use->task != TaskId{record.first} && contains(frames, use->address))) {
        out.insert(*construct);
        break;
      }
      --patience;
    }
  }
  return out;
}

} // namespace fletcher::advise
