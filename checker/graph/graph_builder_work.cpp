// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph builder's row about worksharing: units of work, which another thread of the team could have executed. Each
// begins at its member's last barrier, as if nothing had been before it on the thread, and ends at the next. A piece of
// a static loop comes after what its member did before the loop, and before what it does then.
#include "checker/graph/graph_builder_state.hpp"

namespace fletcher::graph {
namespace {

bool is_loop(WorkKind kind) noexcept {
  return kind == WorkKind::loop_static || kind == WorkKind::loop_dynamic || kind == WorkKind::loop_guided ||
         kind == WorkKind::loop_other;
}

} // namespace

Vertex GraphBuilder::present(Task& task) {
  if (!options_.assignment || !task.in_unit) return task.strand;
  const Vertex both = add_node(NodeKind::object, &task, task.team, Began::release, 0);
  add_edge(task.strand, both, EdgeReason::program_order);
  add_edge(task.outside, both, EdgeReason::program_order);
  return both;
}

void GraphBuilder::learn(Task& task, Vertex from, EdgeReason reason) {
  if (!options_.assignment || task.explicit_task) return;
  const Vertex node = add_node(NodeKind::object, &task, task.team, Began::acquire, 0);
  add_edge(task.learned, node, reason);
  add_edge(from, node, reason);
  task.learned = node;
}

void GraphBuilder::begin_unit(Task& task, Address pc) {
  if (task.explicit_task || (task.team->size < 2 && !task.pieces_move)) return;
  end_unit(task);
  task.in_unit = true;
  task.outside = task.strand;
  if (!options_.assignment) task.unwaited_outside.swap(task.unwaited);
  const Vertex begin = add_node(NodeKind::strand, &task, task.team, Began::task_begin, pc);
  graph_[begin].ordinal = ++task.ordinal;
  add_edge(options_.assignment ? task.learned : task.base, begin, EdgeReason::program_order);
  if (task.pieces_move) add_edge(task.before_loop, begin, EdgeReason::program_order);
  task.strand = begin;
  if (task.knows_thread) know_thread(task);
}

void GraphBuilder::end_unit(Task& task) {
  if (!task.in_unit) return;
  task.in_unit = false;
  task.units.push_back(task.strand);
  if (options_.assignment) {
    const Vertex end = task.strand;
    task.strand = task.outside;
    add_edge(end, advance(task, Began::task_begin), EdgeReason::program_order);
  } else {
    task.strand = task.outside;
    if (task.pieces_move)
      task.unwaited_outside.insert(task.unwaited_outside.end(), task.unwaited.begin(), task.unwaited.end());
    task.unwaited.swap(task.unwaited_outside);
  }
  task.unwaited_outside.clear();
}

void GraphBuilder::end_pieces(Task& task) {
  if (!task.pieces_move || options_.assignment || task.units.size() == task.units_before_loop) return;
  const Vertex after = advance(task, Began::task_begin);
  for (std::size_t i = task.units_before_loop; i < task.units.size(); ++i)
    add_edge(task.units[i], after, EdgeReason::program_order);
}

void GraphBuilder::know_thread(Task& task) {
  task.knows_thread = true;
  if (options_.assignment && task.in_unit)
    add_edge(task.outside, advance(task, Began::acquire), EdgeReason::program_order);
}

void GraphBuilder::on(const Work& event) {
  const std::lock_guard lock(mutex_);
  if (event.kind == WorkKind::single_other || event.kind == WorkKind::taskloop) return;
  Task& member = task(event.task);
  end_unit(member);
  end_pieces(member);
  if (event.begin && is_loop(event.kind)) ++member.loops;
  member.pieces_move = event.begin && event.kind == WorkKind::loop_static;
  member.before_loop = member.strand;
  member.units_before_loop = member.units.size();
  member.chunks_move = event.begin && (event.kind == WorkKind::loop_dynamic || event.kind == WorkKind::loop_guided);
  if (event.begin && !event.end_untold && (event.kind == WorkKind::single_executor || event.kind == WorkKind::sections))
    begin_unit(member, event.pc);
}

void GraphBuilder::on(const Combination& event) {
  const std::lock_guard lock(mutex_);
  Task& member = task(event.task);
  if (!event.begin) return end_unit(member);
  begin_unit(member, 0);
  for (const auto& [other, arrival] : member.team->copies)
    if (other != &member) add_edge(arrival, member.strand, EdgeReason::acquire);
}

void GraphBuilder::on(const Dispatch& event) {
  const std::lock_guard lock(mutex_);
  Task& member = task(event.task);
  const bool is_piece = event.kind == DispatchKind::piece && member.pieces_move;
  if (is_piece || (event.kind == DispatchKind::loop_chunk && member.chunks_move)) begin_unit(member, 0);
}

} // namespace fletcher::graph
