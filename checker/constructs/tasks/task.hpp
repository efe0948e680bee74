// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task: plain data; what happens to it is in the files of this folder, one per family of constructs. One that was
// created costs 32 bytes, 4 in the table of tasks (task_table.hpp) and its depend list (depend_lists.hpp) until it
// starts; then those of its activation, too, until nobody refers to it.
#pragma once

#include "checker/constructs/dependences/depend_lists.hpp"
#include "checker/constructs/tasks/activation.hpp"
#include "checker/events.hpp"
#include "checker/memory/spin_lock.hpp"
#include "checker/order/happens_before.hpp"

#include <atomic>
#include <cstdint>

namespace fletcher::constructs {

/// Millions of explicit tasks may wait to be started at once. Such a one is half a cache line, and shares its origin.
struct Task {
  TaskId id = TaskId::none;
  std::atomic<std::uint32_t> references{1}; ///< itself while unfinished, its children, dependents, dependence maps
  /// And so many for each capture (UsedByChildren), which only its parent's thread makes and drops.
  static constexpr std::uint32_t captured = 1u << 28;
  ContextId creation = ContextId::none;
  DependList depend; ///< its predecessors are referenced until it starts
  // As it was created; others read it at any time.
  TaskKind kind : 4 = TaskKind::explicit_;
  bool untied : 1 = false;
  bool taskloop : 1 = false;         ///< created by a taskloop construct, which has no depend clause
  bool reaches_no_frame : 1 = false; ///< as TaskTraits says
  std::uint8_t : 0;                  // what follows is another memory location
  bool undeferred : 1 = false;       ///< its creator waits for its end
  bool started : 1 = false;
  bool body_ended : 1 = false; ///< but its detach event is open
  /// It learned something that waiting for it and its siblings would not tell: its clock has to be joined.
  bool learned : 1 = false;
  bool grown : 1 = false;    ///< it learned that itself: its earlier strands tell less than its end
  bool captures : 1 = false; ///< its parent's UsedByChildren has, or had, a capture of it
  memory::SpinLock lock;     ///< guards `ended`, and `complete` where it may have children
  std::atomic<bool> complete{false};

  explicit Task(Origin& from) noexcept : state_(reinterpret_cast<std::uintptr_t>(&from) | only_origin) {}

  /// It has been given an activation, and keeps it while anybody refers to it.
  bool active() const noexcept { return activation() != nullptr; }
  /// Null where it has not. A caller with several questions asks this once.
  Activation* activation() const noexcept {
    const std::uintptr_t state = state_.load(std::memory_order_acquire);
    return (state & only_origin) != 0 ? nullptr : reinterpret_cast<Activation*>(state);
  }
  /// Of an active task.
  Activation& now() const noexcept { return *reinterpret_cast<Activation*>(state_.load(std::memory_order_acquire)); }
  void activate(Activation& made) noexcept {
    state_.store(reinterpret_cast<std::uintptr_t>(&made), std::memory_order_release);
  }
  Origin& origin() const noexcept {
    const std::uintptr_t state = state_.load(std::memory_order_acquire);
    return (state & only_origin) != 0 ? *reinterpret_cast<Origin*>(state & ~only_origin)
                                      : *reinterpret_cast<Activation*>(state)->origin;
  }

  /// It comes after something that its start did not come after.
  void learn() noexcept {
    count_all_told();
    learned = grown = true;
    now().last_tells_all = false;
    now().begin_past();
  }
  /// It comes after what it may know already, by other means than the turns of iterations.
  void count_all_told() noexcept {
    if (Rare* const rare = now().rare_.get(); rare != nullptr && rare->told_in_turn.upto != StrandId::none) [[unlikely]]
      rare->told_in_turn = {};
  }
  /// The same by this run's order of locks only.
  void observe() noexcept {
    learned = grown = true;
    now().last_tells_all = false;
  }

  Task* parent() const noexcept { return origin().parent; }
  Team* team() const noexcept { return origin().team; }
  Taskgroup* group() const noexcept { return origin().group; }
  /// Siblings that it comes after may come after other units of work of its creator.
  order::WorkUnit unit() const noexcept {
    return depend.empty() || depend.predecessors().empty() ? origin().unit : order::WorkUnit{};
  }
  const order::Knowledge& known() const noexcept {
    const Activation* const own = activation();
    return own != nullptr ? own->known : origin().known;
  }
  ChainId chain() const noexcept {
    const Activation* const own = activation();
    return own != nullptr ? own->chain : ChainId::none;
  }
  StrandId last() const noexcept {
    const Activation* const own = activation();
    return own != nullptr ? own->last : StrandId::none;
  }
  Wait wait() const noexcept {
    const Activation* const own = activation();
    return own != nullptr ? own->wait : Wait{};
  }
  ThreadId thread() const noexcept {
    const Activation* const own = activation();
    return own != nullptr ? own->thread : ThreadId::none;
  }
  /// It left a trace: somebody may ask whether it came before.
  bool has_strands() const noexcept {
    const Activation* const own = activation();
    return own != nullptr && own->chain != ChainId::none && own->last != StrandId::none;
  }

  /// An active task that is not over, and that `by` executes from its begin to its end: no other thread changes what
  /// belongs to it and has no lock.
  bool is_of(ThreadId by) const noexcept {
    const Activation* const own = activation();
    return own != nullptr && own->thread == by && !(untied || body_ended);
  }
  /// Of a task on the asking thread: only itself, `others` more, and captures refer to it, and nobody else can begin
  /// to.
  bool is_private(ThreadId by, std::uint32_t others = 0) const noexcept {
    const std::uint32_t count = references.load(std::memory_order_acquire);
    return count % captured == 1 + others && is_of(by) && (count < captured || parent()->is_of(by));
  }
  /// Of an active task, on its own thread: none of the tasks that it created is left, or will ever tell it anything.
  bool is_childless() const noexcept {
    const Activation& own = now();
    const std::uint32_t count = references.load(std::memory_order_acquire) % captured;
    if (own.given == nullptr) return count == 1;
    return count == 2 && own.given->references.load(std::memory_order_acquire) == own.given_references;
  }

  // Of an active task.
  const Rare* rare_if_any() const noexcept { return now().rare_.get(); }
  Rare& rare() const { return now().rare(); }
  /// What its children use; null for nothing.
  UsedByChildren* used() const noexcept { return now().used; }

private:
  static constexpr std::uintptr_t only_origin = 1;
  std::atomic<std::uintptr_t> state_; ///< an Activation, or an Origin and this bit
};
static_assert(sizeof(Task) == 32, "for each task that waits to be started");

/// The explicit task that a thread has to start for `task` to be executed: itself, or the deferred one that it is an
/// undeferred part of. Null where that is none. O(undeferred ancestors).
inline const Task* deferred_part(const Task& task) noexcept {
  const Task* t = &task;
  while (t != nullptr && t->kind == TaskKind::explicit_ && t->undeferred) t = t->parent();
  return t != nullptr && t->kind == TaskKind::explicit_ ? t : nullptr;
}

} // namespace fletcher::constructs
