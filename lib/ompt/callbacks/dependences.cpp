// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The depend clauses of tasks and of taskwait, the sources and sinks of doacross loops: dependences, task_dependence.

#include "lib/ompt/arguments.hpp"
#include "lib/ompt/quirks/quirks.hpp"
#include "lib/ompt/unwind.hpp"

#include <array>
#include <vector>

namespace fletcher::ompt {

namespace {

/// Room for `count` values: on the stack for what programs usually write, on the heap beyond.
template <class T> class Scratch {
public:
  explicit Scratch(std::size_t count) : count_(count) {
    if (count > few_.size()) many_.resize(count);
  }
  std::span<T> span() noexcept { return {count_ > few_.size() ? many_.data() : few_.data(), count_}; }

private:
  std::array<T, 16> few_{};
  std::vector<T> many_;
  std::size_t count_;
};

void doacross(const Entered& at, std::span<const ompt_dependence_t> list) {
  Scratch<std::uint64_t> iteration(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) iteration.span()[i] = list[i].variable.value;
  const bool source = list.front().dependence_type == ompt_dependence_type_source;
  listener->on(Doacross{at.thread(), at.task(), at.team(), source, iteration.span()});
}

void on_dependences(ompt_data_t* task, const ompt_dependence_t* items, int count) {
  if (items == nullptr || count <= 0) return;
  const Entered at;
  const std::span list(items, static_cast<std::size_t>(count));
  const auto first = list.front().dependence_type;
  const bool is_of_loop = first == ompt_dependence_type_source || first == ompt_dependence_type_sink;
  if (is_of_loop && arguments.items.empty()) return doacross(at, list); // else a type that was not set (quirks.hpp)

  let_frames_matter();
  Scratch<Dependence> declared(list.size());
  Scratch<Storage> storage(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool all = quirks::is_all_memory(list[i]);
    const Address address = all ? 0 : list[i].variable.value;
    const bool permanent = is_permanent(address);
    const DependenceType type = all ? DependenceType::inout : quirks::dependence_type(list[i].dependence_type);
    declared.span()[i] = {address, type, all, permanent};
    storage.span()[i] = storage_of(i, address, permanent);
  }
  const bool nowait = quirks::is_taskwait_with_nowait(arguments);
  arguments.items = {};
  arguments.nowait = false;
  TaskId declaring = Tag::of(task).task();
  const ompt_frame_t* const frame = frame_of_running_task(nullptr);
  const CallFrame call = call_at(frame, at.here().created_pc);
  const std::vector<StackFrame> frames = frames_at(call, declared.span(), &Dependence::address);
  if (quirks::is_waiting_half(task)) {
    declaring = nowait ? tool::next_task_id() : TaskId::none;
    waiting_half.begin(declaring);
    waiting_half.exclude(at.task(), declared.span());
    if (!nowait)
      return listener->on(
          TaskwaitDepend{at.thread(), at.task(), declared.span(), true, waiting_half.pc, storage.span(), call, frames});
    listener->on(TaskCreate{at.thread(), at.task(), declaring, TaskKind::explicit_, {}, waiting_half.pc});
  }
  listener->on(TaskDependences{at.thread(), declaring, declared.span(), storage.span(),
                               frame == nullptr ? 0 : code(frame->exit_frame.ptr), call, frames});
}

void on_task_dependence(ompt_data_t* before, ompt_data_t* after) {
  const Entered at;
  const Tag first = Tag::of(before), second = Tag::of(after);
  if (first.empty() || second.empty()) return; // reported by TaskwaitDepend
  listener->on(TaskDependenceEdge{at.thread(), first.task(), second.task()});
}

} // namespace

std::span<const Callback> dependence_callbacks() {
  static const std::array list{
      Callback{ompt_callback_dependences, as_callback<ompt_callback_dependences_t>(on_dependences), "dependences"},
      Callback{ompt_callback_task_dependence, as_callback<ompt_callback_task_dependence_t>(on_task_dependence),
               "task_dependence"},
  };
  return list;
}

} // namespace fletcher::ompt
