// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/advise/recorder.hpp"

#include "checker/access/thread_state.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace fletcher::advise {

namespace {
bool is_barrier(SyncKind kind) noexcept {
  return kind == SyncKind::barrier_explicit || kind == SyncKind::barrier_workshare;
}
/// What becomes of the lock itself: it is initialised before it is used, and destroyed after.
std::optional<access::Kind> use_of_lock(MutexStep step) noexcept {
  switch (step) {
  case MutexStep::init:
  case MutexStep::init_nest:
  case MutexStep::destroy:
  case MutexStep::destroy_nest:
    return access::Kind::write;
  case MutexStep::acquired:
    return access::Kind::read;
  default:
    return std::nullopt;
  }
}
} // namespace

Recorder::~Recorder() {
  for (auto& one : threads_) delete one.load();
}

void Recorder::give_up(const char* why) {
  const char* none = nullptr;
  unknown_.compare_exchange_strong(none, why);
}

Recorder::Thread* Recorder::thread(ThreadId id) {
  if (number(id) >= most_threads) {
    give_up("the program has too many threads");
    return nullptr;
  }
  std::atomic<Thread*>& slot = threads_[number(id)];
  if (Thread* const known = slot.load(std::memory_order_acquire)) return known;
  auto made = std::make_unique<Thread>();
  Thread* expected = nullptr;
  return slot.compare_exchange_strong(expected, made.get()) ? made.release() : expected;
}

std::span<graph::Record> Recorder::room(std::size_t records) {
  const std::size_t first = run_.records.size();
  run_.records.resize(first + records);
  return std::span(run_.records).subspan(first);
}

void Recorder::begin_segment(ThreadId id) {
  Thread* const t = thread(id);
  if (t == nullptr) return;
  if (run_.segments.size() >= most_segments) return give_up("the run has too many events");
  t->segment = static_cast<SegmentId>(run_.segments.size());
  t->begun = true;
  run_.segments.push_back({run_.records.size(), id, lockset(t->held), t->by_chance, false});
}

std::uint32_t Recorder::lockset(const std::vector<HeldLock>& held) {
  if (held.empty()) return 0;
  std::vector<std::array<Address, 3>> key;
  for (const HeldLock& one : held) key.push_back({static_cast<Address>(one.mutex.kind), one.mutex.address, one.pc});
  const auto [entry, fresh] = known_locksets_.try_emplace(std::move(key), run_.locksets.size());
  if (fresh) run_.locksets.push_back(held);
  return entry->second;
}

void Recorder::renew(ThreadId id, Address low, Address high) {
  if (low == 0 || low >= high) return;
  begin_segment(id);
  run_.renewals.push_back({static_cast<SegmentId>(run_.segments.size() - 1), low, high});
}

void Recorder::meets_unseen_code(ThreadId id) {
  const memory::SpinGuard guard(lock_);
  if (Thread* const t = thread(id); t != nullptr && t->begun) run_.segments[t->segment].blind = true;
}

void Recorder::prints(ThreadId id, Address pc) {
  Thread* const t = thread(id);
  if (t != nullptr && t->begun && !t->busy)
    t->accesses.push_back({output_stream, 1, pc, t->segment, access::Kind::atomic_write});
}

void Recorder::accesses(access::ThreadState& state, Address address, std::size_t size, access::Kind kind, Address pc,
                        bool) {
  if (unknown_.load(std::memory_order_relaxed) != nullptr) return; // nothing will be said
  Thread* const t = thread(state.id);
  if (t == nullptr || size == 0) return;
  if (t->busy || !t->begun) return give_up("some accesses belong to no known task");
  t->busy = true;
  t->stack = {state.stack_low, state.stack_high};
  const auto goes_on = [&] {
    if (t->accesses.empty()) return false;
    Access& last = t->accesses.back();
    if (last.segment != t->segment || last.kind != kind || last.pc != pc || last.address + last.size != address)
      return false;
    last.size += size;
    return true;
  };
  if (!goes_on()) {
    if (t->accesses.size() < most_accesses)
      t->accesses.push_back({address, size, pc, t->segment, kind});
    else
      give_up("the run has too many accesses");
  }
  t->busy = false;
}

void Recorder::on(const ParallelBegin& e) {
  keep(e);
  if (!sees_(e.pc)) meets_unseen_code(e.thread);
  const memory::SpinGuard guard(lock_);
  if (e.stack_pointer != 0) run_.region_frames[e.team] = e.stack_pointer;
}

void Recorder::on(const TaskCreate& e) {
  keep(e);
  if (!sees_(e.pc)) meets_unseen_code(e.thread);
  const memory::SpinGuard guard(lock_);
  for (const Address captured : e.captures)
    run_.captures.push_back({static_cast<SegmentId>(run_.segments.size() - 1), e.task, captured});
  if (e.kind == TaskKind::target) give_up("the program uses devices");
}

void Recorder::on(const TaskDependences& e) {
  keep(e);
  const memory::SpinGuard guard(lock_);
  std::vector<std::size_t>& sizes = run_.item_sizes[e.task];
  sizes.assign(e.list.size(), 0);
  for (std::size_t i = 0; i < std::min(sizes.size(), e.storage.size()); ++i) sizes[i] = e.storage[i].size;
  // What a clause names has to be there until the task has ended, as what the task uses.
  for (const Dependence& item : e.list)
    run_.captures.push_back({static_cast<SegmentId>(run_.segments.size() - 1), e.task, item.address});
}

void Recorder::on(const TaskSwitch& e) {
  keep(e);
  const memory::SpinGuard guard(lock_);
  Thread* const t = thread(e.thread);
  if (t == nullptr) return;
  if (!t->held.empty()) run_.locks_are_signals = true; // the lock is the task's, not the thread's
  if (e.stack_base == 0 || !run_.stack_bases.try_emplace(e.next, e.stack_base).second) return;
  renew(e.thread, t->stack.low, e.stack_base);
}

void Recorder::on(const TaskEnd& e) {
  keep(e);
  const memory::SpinGuard guard(lock_);
  const auto base = run_.stack_bases.find(e.task);
  if (Thread* const t = thread(e.thread); t != nullptr && base != run_.stack_bases.end())
    renew(e.thread, t->stack.low, base->second);
}

void Recorder::on(const SyncBegin& e) {
  const memory::SpinGuard guard(lock_);
  CompleteTraceWriter::on(e);
  Thread* const t = thread(e.thread);
  if (t != nullptr && e.kind != SyncKind::taskwait && e.kind != SyncKind::taskgroup) t->by_chance = false;
  begin_segment(e.thread);
  // A barrier of the runtime's own is where it combines what a reduction has.
  if (e.kind == SyncKind::barrier_internal || e.kind == SyncKind::gathering) combines_[e.task] = true;
  if (is_barrier(e.kind) && std::exchange(combines_[e.task], false)) run_.combining.push_back(e.pc);
}

void Recorder::on(const Work& e) {
  const memory::SpinGuard guard(lock_);
  CompleteTraceWriter::on(e);
  const bool taken = e.kind == WorkKind::loop_dynamic || e.kind == WorkKind::loop_guided ||
                     e.kind == WorkKind::loop_other || e.kind == WorkKind::sections ||
                     e.kind == WorkKind::single_executor;
  if (Thread* const t = thread(e.thread); t != nullptr && (taken || !e.begin)) t->by_chance = e.begin;
  begin_segment(e.thread);
}

void Recorder::on(const Reduction& e) {
  const memory::SpinGuard guard(lock_);
  combines_[e.task] = true;
}

void Recorder::on(const MutexEvent& e) {
  const memory::SpinGuard guard(lock_);
  CompleteTraceWriter::on(e);
  Thread* const t = thread(e.thread);
  if (t == nullptr || e.mutex.kind == MutexKind::ordered) return begin_segment(e.thread);
  if (e.step == MutexStep::testing) run_.locks_are_signals = true;
  if (const auto use = use_of_lock(e.step); use && t->begun)
    t->accesses.push_back({e.mutex.address, 1, e.pc, t->segment, *use});
  if (e.step == MutexStep::acquired) t->held.push_back({e.mutex, e.pc});
  if (e.step == MutexStep::released) {
    const auto held = std::find_if(t->held.rbegin(), t->held.rend(), [&](const HeldLock& one) {
      return one.mutex.kind == e.mutex.kind && one.mutex.address == e.mutex.address;
    });
    if (held == t->held.rend())
      run_.locks_are_signals = true;
    else
      t->held.erase(std::next(held).base());
  }
  if (e.step == MutexStep::acquired || e.step == MutexStep::released) begin_segment(e.thread);
}

void Recorder::on(const MemoryBegin& e) {
  const memory::SpinGuard guard(lock_);
  if (e.kind == MemoryKind::copy) return;
  renew(e.thread, e.address, e.address + e.size);
}

void Recorder::on(const MemoryEnd& e) {
  const memory::SpinGuard guard(lock_);
  if (e.kind == MemoryKind::copy) return;
  // To end what somebody else may still use is a write.
  Thread* const t = thread(e.thread);
  if (t != nullptr && t->begun && e.kind != MemoryKind::runtime && e.size != 0)
    t->accesses.push_back({e.address, e.size, e.pc, t->segment, access::Kind::write});
  if (e.kind != MemoryKind::stack) renew(e.thread, e.address, e.address + e.size);
}

Run Recorder::take() {
  const memory::SpinGuard guard(lock_);
  Run out = std::exchange(run_, {});
  if (const char* const why = unknown_.load()) out.unknown = why;
  for (std::size_t i = 0; i < most_threads; ++i) {
    const Thread* const t = threads_[i].load();
    if (t == nullptr) continue;
    out.stacks[ThreadId{static_cast<std::uint32_t>(i)}] = t->stack;
    out.accesses.insert(out.accesses.end(), t->accesses.begin(), t->accesses.end());
  }
  std::sort(out.accesses.begin(), out.accesses.end(), [](const Access& a, const Access& b) {
    return std::tie(a.segment, a.address, a.pc, a.kind) < std::tie(b.segment, b.address, b.pc, b.kind);
  });
  return out;
}

} // namespace fletcher::advise
