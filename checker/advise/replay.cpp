// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/advise/replay.hpp"

namespace fletcher::advise {

using graph::Record;
using graph::RecordKind;

std::optional<Construct> waiting_construct(const Record& record) {
  if (record.kind != RecordKind::sync_begin && record.kind != RecordKind::sync_end) return std::nullopt;
  const auto kind = static_cast<SyncKind>(record.detail);
  if (kind == SyncKind::taskwait) return Construct{Construct::Kind::taskwait, record.place};
  if (kind == SyncKind::barrier_explicit || kind == SyncKind::barrier_workshare)
    return Construct{Construct::Kind::barrier, record.place};
  return std::nullopt;
}

Replay::Replay(const Run& run, const std::set<Construct>& without) : without_(without) {
  strands_.assign(run.segments.size(), nowhere);
  tasks_.assign(run.segments.size(), TaskId::none);
  std::size_t next = 0; // segment
  for_each_record(run.records, [&](std::size_t i, const Record& record, std::span<const Record> items) {
    play(record, items);
    for (; next < run.segments.size() && run.segments[next].records <= i + 1 + items.size(); ++next) {
      tasks_[next] = builder_.running(run.segments[next].thread);
      strands_[next] = builder_.strand(tasks_[next]).value_or(nowhere);
    }
  });
}

void Replay::play(const Record& record, std::span<const Record> items) {
  if (const auto construct = waiting_construct(record); construct && without_.contains(*construct)) return;
  if (record.kind == RecordKind::task_create) creations_[TaskId{record.first}] = record.place;
  if (record.kind != RecordKind::task_dependences) return graph::replay(record, items, builder_);
  std::vector<Record> kept;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!without_.contains({Construct::Kind::depend_item, creation(TaskId{record.first}), i})) kept.push_back(items[i]);
  graph::replay(record, kept, builder_);
}

Address Replay::creation(TaskId task) const {
  const auto found = creations_.find(task);
  return found == creations_.end() ? 0 : found->second;
}

} // namespace fletcher::advise
