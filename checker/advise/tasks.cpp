// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/advise/tasks.hpp"

#include <boost/range/iterator_range.hpp>

namespace fletcher::advise {

using graph::Record;
using graph::RecordKind;

Tasks::Tasks(const Run& run, const Replay& order) : order_(order) {
  for (const graph::Vertex v : boost::make_iterator_range(boost::vertices(order.graph()))) {
    const graph::Node& node = order.graph()[v];
    if (node.task != TaskId::none) homes_.try_emplace(node.task, Home{node.team, node.region});
  }
  for_each_record(run.records, [&](std::size_t, const Record& record, std::span<const Record> list) {
    if (record.kind == RecordKind::implicit_task_begin) ++sizes_[TeamId{record.second}];
    if (record.kind != RecordKind::task_dependences) return;
    const auto known = run.item_sizes.find(TaskId{record.first});
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::size_t size = known == run.item_sizes.end() ? 0 : known->second[i];
      const auto type = static_cast<DependenceType>(list[i].detail);
      const bool plain = type == DependenceType::in || type == DependenceType::out || type == DependenceType::inout;
      items_[TaskId{record.first}].push_back(
          {list[i].place, list[i].place + size, type, plain && list[i].flags == 0 && list[i].place != 0});
    }
  });
  for (SegmentId s = 0; s < run.segments.size(); ++s)
    if (run.segments[s].blind)
      if (const auto home = homes_.find(order.task(s)); home != homes_.end()) blind_.insert(home->second.region);
}

const std::vector<Item>& Tasks::items(TaskId task) const {
  static const std::vector<Item> none;
  const auto found = items_.find(task);
  return found == items_.end() ? none : found->second;
}

bool Tasks::is_seen(TaskId task) const {
  const auto home = homes_.find(task);
  return home != homes_.end() && home->second.region != TeamId::none && !blind_.contains(home->second.region);
}

bool Tasks::is_known(TaskId task) const {
  if (!is_seen(task)) return false;
  const auto size = sizes_.find(homes_.at(task).team);
  return size != sizes_.end() && size->second > 1;
}

} // namespace fletcher::advise
