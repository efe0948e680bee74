// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which constructs and rules hear of an event, and in which order.
#include "checker/checker.hpp"
#include "checker/state.hpp"

#include <utility>

namespace fletcher {

namespace {
/// The task's children use variables whose frames are gone, with its stack at `stack_pointer`.
bool uses_frames_below(const constructs::Task& task, Address stack_pointer) {
  const constructs::UsedByChildren* const used = task.used();
  return used != nullptr && stack_pointer != 0 && used->lowest < stack_pointer;
}
} // namespace

void Checker::on(const ThreadBegin& e) { thread(e.thread); }
void Checker::on(const ThreadEnd& e) { state_->execution->end_thread(e); }
void Checker::on(const ThreadCreate& e) { state_->execution->expect_root(e); }
void Checker::on(const InitialTaskBegin& e) { state_->execution->begin_root(e); }
void Checker::on(const InitialTaskEnd& e) {
  constructs::Execution& x = *state_->execution;
  if (constructs::Task* over = x.task(e.task)) state_->lock_misuse->ended(x.thread(e.thread), *over);
  x.end_root(e);
}
void Checker::on(const ParallelBegin& e) {
  state_->fork_after_region->encounters(state_->execution->thread(e.thread), e);
  state_->execution->begin_parallel(e);
}
void Checker::on(const ParallelEnd& e) { state_->execution->end_parallel(e); }
void Checker::on(const ImplicitTaskBegin& e) {
  state_->execution->begin_implicit(e);
  if (e.index == 0) state_->fork_after_region->begins(e);
}
void Checker::on(const Forked& e) { state_->fork_after_region->forked(e.thread); }
void Checker::on(const ThreadsReleased& e) { state_->fork_after_region->released(e.thread); }
void Checker::on(const ImplicitTaskEnd& e) {
  constructs::Execution& x = *state_->execution;
  if (constructs::Task* over = x.task(e.task)) state_->lock_misuse->ended(x.thread(e.thread), *over);
  x.end_implicit(e);
}

void Checker::on(const TaskCreate& e) {
  constructs::Execution& x = *state_->execution;
  x.set_apart(e.thread);
  access::ThreadState& t = x.thread(e.thread);
  constructs::Task* const creator = x.active_task(e.thread, e.creator);
  if (creator != nullptr) {
    constructs::Activation& now = creator->now();
    now.stack_pointer = e.stack_pointer;
    if (creator->kind == TaskKind::implicit) [[unlikely]] {
      creator->rare().frames_end = e.frames_end;
      creator->rare().frame.write(e.call, e.walk);
    }
    if (creator->kind == TaskKind::explicit_ && now.stack_base == 0) now.stack_base = e.frames_end;
    if (uses_frames_below(*creator, e.stack_pointer)) [[unlikely]]
      state_->missing_taskwait->frames_gone(t, *creator, e.stack_pointer, x.place(t, e.pc));
  }
  constructs::Task* const made = x.create(t, creator, e);
  if (!e.captures.empty() && made != nullptr) state_->missing_taskwait->created(t, *made, e.captures, e.call, e.frames);
}

void Checker::on(const TaskDependences& e) {
  constructs::Execution& x = *state_->execution;
  x.declare(e);
  constructs::Task* const made = x.task(e.task);
  if (made == nullptr) return;
  if (made->parent() != nullptr)
    keep_frames(state_->items, x, x.thread(e.thread), *made->parent(), e.list, e.call, e.frames);
  state_->missing_taskwait->declared(x.thread(e.thread), *made);
  state_->non_sibling->declared(*made);
  state_->unmatched->declared(x.thread(e.thread), *made, e.storage);
}

void Checker::on(const TaskSwitch& e) {
  constructs::Execution& x = *state_->execution;
  x.set_apart(e.thread);
  constructs::Task* next = x.task(e.next);
  const bool starts = next != nullptr && !next->started;
  x.switch_task(next, e);
  if (!starts || next->depend.empty()) return;
  access::ThreadState& t = x.thread(e.thread);
  state_->non_sibling->started(t, *next);
  state_->unmatched->started(t, *next);
}

void Checker::on(const TaskEnd& e) {
  constructs::Execution& x = *state_->execution;
  access::ThreadState& t = x.thread(e.thread);
  constructs::Task* const over = x.task(e.task);
  if (over != nullptr && over->started) [[likely]] {
    const constructs::Activation& now = over->now();
    if (now.used != nullptr) {
      if (uses_frames_below(*over, now.stack_base)) [[unlikely]]
        state_->missing_taskwait->frames_gone(t, *over, now.stack_base, ContextId::none);
      if (now.used->may_leave()) [[unlikely]]
        x.leave_captures(t, *over);
      state_->unmatched->parent_over(*over);
    }
    if (!over->depend.empty()) [[unlikely]]
      state_->non_sibling->ended(*over);
    if (!now.held.empty()) [[unlikely]]
      state_->lock_misuse->ended(t, *over);
  } else if (over != nullptr) {
    state_->unmatched->discarded(t, *over);
    if (!over->depend.empty()) state_->non_sibling->ended(*over);
  }
  state_->atomics->ended(e.task);
  x.end(t, over, e);
}

void Checker::on(const TaskFulfill& e) {
  state_->another_thread->fulfils(state_->execution->thread(e.thread));
  state_->execution->fulfill(e);
}

void Checker::on(const SyncBegin& e) {
  constructs::Execution& x = *state_->execution;
  if (e.kind == SyncKind::taskgroup) x.set_apart(e.thread);
  constructs::Task* waiter = x.active_task(e.thread, e.task);
  if (waiter == nullptr) return;
  state_->construct_mismatch->barrier(x.thread(e.thread), *waiter, e);
  if (e.kind == SyncKind::barrier_parallel && !waiter->now().held.empty())
    state_->lock_misuse->ended(x.thread(e.thread), *waiter);
  const bool closes = e.kind == SyncKind::barrier_parallel;
  // The runtime's own frames may lie deeper than the member's did.
  const bool own_end = closes && waiter->rare_if_any() != nullptr && waiter->rare().frames_end != 0 &&
                       waiter->team() != nullptr && waiter->team()->size > 1;
  const Address gone_below = own_end ? waiter->rare().frames_end : e.stack_pointer;
  if (uses_frames_below(*waiter, gone_below)) {
    access::ThreadState& t = x.thread(e.thread);
    state_->missing_taskwait->frames_gone(t, *waiter, gone_below, x.place(t, e.pc), closes);
  }
  if (closes) state_->unmatched->parent_over(*waiter);
  if (!closes && e.kind != SyncKind::taskgroup) state_->held_wait->begins(x.thread(e.thread), *waiter, e.kind, e.pc);
  if (e.kind == SyncKind::taskgroup)
    x.begin_taskgroup(*waiter);
  else if (e.kind == SyncKind::taskwait)
    waiter->now().wait = {constructs::Wait::Kind::taskwait, {}, e.pc};
  else
    x.arrive(e);
}

void Checker::on(const SyncEnd& e) {
  constructs::Execution& x = *state_->execution;
  constructs::Task* waiter = x.active_task(e.thread, e.task);
  if (waiter == nullptr) return;
  waiter->now().wait.kind = constructs::Wait::Kind::none;
  if (e.kind != SyncKind::taskgroup && e.kind != SyncKind::taskwait) {
    x.leave(e);
    return state_->held_wait->ends(*waiter);
  }
  access::ThreadState& t = x.thread(e.thread);
  const auto follow = [&] {
    e.kind == SyncKind::taskgroup ? x.end_taskgroup(t, *waiter) : x.taskwait(t, *waiter);
    state_->held_wait->ends(*waiter);
  };
  if (!state_->another_thread->any()) return follow();
  auto fulfilments = state_->another_thread->ends(t, *waiter, e.kind, e.pc);
  follow();
  state_->another_thread->ended(*waiter, std::move(fulfilments));
}

void Checker::on(const TaskgroupWait& e) {
  constructs::Execution& x = *state_->execution;
  constructs::Task* const waiter = x.active_task(e.thread, e.task);
  if (waiter == nullptr) return;
  state_->held_wait->begins(x.thread(e.thread), *waiter, SyncKind::taskgroup, e.pc);
  waiter->now().wait = {constructs::Wait::Kind::taskgroup, {}, e.pc};
}

void Checker::on(const TaskwaitDepend& e) {
  constructs::Execution& x = *state_->execution;
  x.set_apart(e.thread);
  constructs::Task* const waiter = x.active_task(e.thread, e.task);
  if (waiter == nullptr) return;
  access::ThreadState& t = x.thread(e.thread);
  if (e.begin) {
    waiter->rare().awaited_items.assign(e.list.begin(), e.list.end());
    keep_frames(state_->items, x, t, *waiter, e.list, e.call, e.frames);
    state_->unmatched->waits(*waiter, e.list, e.storage, x.place(t, e.pc));
    state_->held_wait->begins(t, *waiter, SyncKind::taskwait, e.pc);
  }
  if (e.begin) return x.taskwait_depend(e);
  auto fulfilments = state_->another_thread->ends(t, *waiter, SyncKind::taskwait, e.pc);
  x.taskwait_depend(e);
  state_->another_thread->ended(*waiter, std::move(fulfilments));
  state_->non_sibling->waited(t, *waiter, std::exchange(waiter->rare().awaited_items, {}), x.place(t, e.pc));
  state_->held_wait->ends(*waiter);
}
void Checker::on(const MutexEvent& e) {
  constructs::Execution& x = *state_->execution;
  x.set_apart(e.thread);
  access::ThreadState& t = x.thread(e.thread);
  if (t.task == nullptr) return;
  // A lock that was copied to a device is in the state of the host's, whose life goes on apart from it.
  const bool copied = state_->mapping_bug->original(e.mutex.address) != e.mutex.address;
  if (!copied) state_->lock_misuse->before(t, e);
  if (e.step == MutexStep::calling) return;
  if (e.frame != nullptr)
    state_->locks.enter(e.mutex.address, *e.frame);
  else if (e.step == MutexStep::init || e.step == MutexStep::init_nest)
    state_->locks.forget(e.mutex.address);
  if (e.step == MutexStep::acquiring) {
    x.mutex(e);
    return state_->lock_order->wants(t, e.mutex, e.pc);
  }
  if (e.step <= MutexStep::destroy_nest) // a life begins or ends
    state_->lock_order->forget(e.mutex, *t.task);
  const bool waited = t.task->wait().kind == constructs::Wait::Kind::mutex;
  x.mutex(e);
  if (waited && e.step == MutexStep::acquired) state_->held_wait->took(t, e.mutex, e.pc);
}
void Checker::on(const Doacross& e) {
  state_->execution->set_apart(e.thread);
  state_->execution->doacross(e);
}
void Checker::on(const DoacrossWait& e) {
  state_->execution->set_apart(e.thread);
  using Kind = constructs::Wait::Kind;
  constexpr Kind kinds[]{Kind::iteration, Kind::no_iteration, Kind::later_iteration};
  constructs::Task* const waiter = state_->execution->active_task(e.thread, e.task);
  if (waiter == nullptr) return;
  waiter->now().wait = {e.begin ? kinds[static_cast<unsigned>(e.sink)] : Kind::none, {}, e.pc};
  if (e.begin && e.sink == SinkKind::later) rules::report_later_sink(*state_->execution, state_->reporter, *waiter);
}
void Checker::on(const Work& e) {
  access::ThreadState& t = state_->execution->thread(e.thread);
  if (state_->execution->is_lone(t)) return;
  if (t.task != nullptr) state_->construct_mismatch->work(t, *t.task, e);
  state_->mpi_threads->work(t, e);
  state_->execution->work(e);
}
void Checker::on(const Dispatch& e) {
  if (!state_->execution->is_lone(thread(e.thread))) state_->execution->dispatch(e);
}
void Checker::on(const Masked& e) {
  if (!state_->execution->is_lone(thread(e.thread))) state_->execution->masked(e);
}
void Checker::on(const Reduction& e) { state_->execution->reduction(e); }
void Checker::on(const Combination& e) { state_->execution->combine(e); }
void Checker::on(const Cancel& e) { state_->execution->cancel(e); }
void Checker::on(const Flush& e) {
  state_->data_race->meet_flush();
  state_->atomics->fence(thread(e.thread), constructs::MemoryOrder::acq_rel);
}
// What is valid where changes: accesses from here on are to be seen again.
void Checker::end_strand(ThreadId id) {
  if (access::ThreadState& t = thread(id); t.task != nullptr && checks_accesses()) constructs::close_strand(t);
}
void Checker::on(const TargetRegion& e) {
  end_strand(e.thread);
  state_->mapping_bug->begin();
}
void Checker::on(const KernelSubmit& e) { end_strand(e.thread); }
// The task accesses the host's memory. The device's is the runtime's, which counts who uses it.
void Checker::on(const DataOp& e) {
  end_strand(e.thread);
  state_->mapping_bug->operation(e);
  if (!e.begin) return;
  if (e.kind == DataOpKind::to_device)
    access::check_range(thread(e.thread), e.source, e.bytes, access::Kind::read, e.pc - 1);
  else if (e.kind == DataOpKind::from_device)
    access::check_range(thread(e.thread), e.target, e.bytes, access::Kind::write, e.pc - 1);
}
void Checker::on(const Release& e) { state_->execution->release(e); }
void Checker::on(const Acquire& e) { state_->execution->acquire(e); }
void Checker::on(const MemoryBegin& e) {
  if (state_->mapping_bug->follows() && (e.kind == MemoryKind::heap || e.kind == MemoryKind::mapping))
    state_->mapping_bug->host_memory_changes(thread(e.thread), e.address, e.size);
  state_->execution->begin_memory(e);
}
void Checker::on(const MemoryEnd& e) {
  if (state_->mapping_bug->follows() && (e.kind == MemoryKind::heap || e.kind == MemoryKind::mapping))
    state_->mapping_bug->host_memory_changes(thread(e.thread), e.address, e.size);
  if (e.kind == MemoryKind::stack) { // of a function of the running task
    access::ThreadState& t = thread(e.thread);
    const bool told =
        t.task != nullptr && t.task->used() != nullptr &&
        state_->missing_taskwait->variable_gone(t, *t.task, e.address, e.size, state_->execution->place(t, e.pc));
    if (t.task != nullptr && !told) state_->execution->end_memory(e);
    return;
  }
  if (e.kind == MemoryKind::heap) state_->lock_order->forget_memory(e.address, e.size);
  state_->execution->end_memory(e);
  if (e.kind == MemoryKind::heap || e.kind == MemoryKind::mapping) state_->non_sibling->forget(e.address, e.size);
}

void Checker::watch(access::Watcher& watcher) { state_->execution->watch(watcher); }
bool Checker::atomics_order() const { return state_->atomics->orders(); }
StackFrame Checker::frame_of_item(Address item) const { return state_->items.find(item); }
void Checker::conclude() { state_->unmatched->conclude(); }

} // namespace fletcher
