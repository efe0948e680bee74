// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/operations.hpp"

#include "lib/interpose/mpi/executors.hpp"
#include "lib/interpose/mpi/objects.hpp"

#include "checker/access/check.hpp"
#include "checker/checker.hpp"
#include "checker/memory/spin_lock.hpp"
#include "lib/tool/serials.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace fletcher::interpose::mpi::operations {

namespace {

struct Operation {
  const void* request = nullptr; ///< the variable in which its request was stored
  std::uint32_t slot = 0;        ///< names its end
  bool from_self = false;
  Address began = 0;
  Handle window = 0; ///< of a one-sided one
  int target = -1;
  Side side = Side::origin;
  const access::ThreadState* beginner = nullptr;
  int partition = -1; ///< of a partitioned one
  bool may_be_over = false;
  bool receives = false;
  bool seen_complete = false;
};

/// All that are pending. A library may give one handle to several that it has completed already: then the variable
/// tells them apart, as long as requests are not copied.
struct Pending {
  memory::SpinLock lock;
  std::unordered_map<Handle, std::vector<Operation>> by_handle;
  std::vector<Operation> on_windows; ///< that have no request
  /// Of these, what a call of another thread than the beginner has completed since: when the beginner's own call
  /// returns, it is over, too.
  std::vector<Operation> completed_by_others;
  std::vector<Operation> attached;
  std::unordered_map<Address, Address> completions; ///< places in the program
};
Pending& pending() {
  static auto* const the = new Pending; // never destroyed
  return *the;
}

/// Where so many that nothing tells apart have one handle the further ones are not followed.
constexpr std::size_t most_alike = 256;

void execute(const Call& call, const Uses& uses, std::uint32_t slot) {
  Listener& listener = tool::session()->listener();
  const Executor executor(*call.thread().checker);
  access::ThreadState& thread = executor.thread();
  const TaskId task = tool::next_task_id();
  InitialTaskBegin begin{thread.id, task, TaskKind::operation};
  begin.creator = call.thread().id;
  begin.pc = call.pc() - 1;
  listener.on(begin);
  if (call.has_buffers() && call.thread().off <= 0) {
    using enum access::Kind;
    for (const access::Kind kind : {read, atomic_read, write, atomic_write}) uses.make(thread, kind, call.pc());
  }
  if (uses.place() && call.thread().off <= 0) {
    const ObjectUse& use = *uses.place();
    thread.checker->operates(thread, {use.of, objects::number(use.of, use.object, use.part), use.kind}, call.pc());
  }
  listener.on(Release{thread.id, end_of(slot), true});
  listener.on(InitialTaskEnd{thread.id, task});
}

} // namespace

namespace {

/// `keep(all)` says where the operation is kept, null for nowhere; the rest of it is filled in.
template <class Keep> void begin(const Call& call, const Uses& uses, Operation operation, Keep keep) {
  const bool matters = (call.has_buffers() && !uses.empty()) || uses.from_self() || uses.place();
  if (!matters || call.thread().task == nullptr) return;
  const KeptErrno kept;
  const tool::InsideTool inside;
  Pending& all = pending();
  operation.slot = no_slot;
  operation.beginner = &call.thread();
  operation.from_self = uses.from_self();
  operation.receives = uses.receives_some();
  operation.began = call.pc();
  {
    const memory::SpinGuard guard(all.lock);
    if (keep(all).size() < most_alike) operation.slot = take_slot();
  }
  if (operation.slot == no_slot) return;
  execute(call, uses, operation.slot);
  const memory::SpinGuard guard(all.lock);
  keep(all).push_back(operation);
}

} // namespace

void begin(const Call& call, const RequestVariables& request, const Uses& uses) {
  begin_on(call, 0, -1, request, uses);
}

void begin_on(const Call& call, Handle window, int target, const RequestVariables& request, const Uses& uses) {
  call.receives(uses);
  const Handle handle = request.handle();
  if (!abi()->is_request(handle)) return;
  const Operation operation{.request = request.variable(), .window = abi()->clean(window), .target = target};
  begin(call, uses, operation, [&](Pending& all) -> auto& { return all.by_handle[handle]; });
}

void begin_partition(const Call& call, Handle request, int partition, const Uses& uses) {
  begin(call, uses, {.partition = partition}, [&](Pending& all) -> auto& { return all.by_handle[request]; });
}

void begin_on(const Call& call, Handle window, int target, Side side, const Uses& uses) {
  begin(call, uses, {.window = abi()->clean(window), .target = target, .side = side},
        [](Pending& all) -> auto& { return all.on_windows; });
}

void begin_attached(const Call& call, const Uses& uses) {
  begin(call, uses, {}, [](Pending& all) -> auto& { return all.attached; });
}

Awaited::Awaited(const Call& call, const RequestVariables& requests, std::int64_t count)
    : call_(call), requests_(requests) {
  if (!call || count <= 0) return;
  const tool::InsideTool inside;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) handles_.push_back(requests.handle(i));
}

namespace {

/// What is over, and what may be: it stays, for the call that completes it by the same handle.
struct Over {
  std::vector<Operation> known, possible;
};

/// `pc`: of the call that completes it, 0 where it is not complete.
void take(Pending& all, Handle handle, const void* request, Address pc, Over& over) {
  const auto found = all.by_handle.find(handle);
  if (found == all.by_handle.end()) return;
  std::vector<Operation>& candidates = found->second;
  if (!candidates.empty() && candidates.front().partition >= 0) { // all parts of one operation
    if (pc != 0)
      for (const Operation& one : candidates) all.completions.try_emplace(one.began, pc);
    over.known.insert(over.known.end(), candidates.begin(), candidates.end());
    all.by_handle.erase(found);
    return;
  }
  // Of two in one variable the later one has taken the earlier one's place.
  const auto later = std::ranges::find(candidates.rbegin(), candidates.rend(), request, &Operation::request);
  auto one = later != candidates.rend() ? std::prev(later.base()) : candidates.end();
  if (one == candidates.end() && candidates.size() == 1) one = candidates.begin();
  if (one == candidates.end()) {
    for (Operation& candidate : candidates) candidate.may_be_over = true;
    over.possible.insert(over.possible.end(), candidates.begin(), candidates.end());
    return;
  }
  if (pc != 0) all.completions.try_emplace(one->began, pc);
  over.known.push_back(*one);
  candidates.erase(one);
  if (candidates.empty()) all.by_handle.erase(found);
}

/// The calling thread's task comes after them.
void finish(const Over& over) {
  Listener& listener = tool::session()->listener();
  bool from_self = false;
  const std::size_t count = over.possible.size() + over.known.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Operation& one = i < over.possible.size() ? over.possible[i] : over.known[i - over.possible.size()];
    listener.on(Acquire{tool::where().thread, end_of(one.slot), i + 1 < count});
    from_self |= one.from_self;
  }
  if (from_self) receive_from_self();
  for (const Operation& one : over.known) give_back(one.slot);
}

} // namespace

void Awaited::completed(std::size_t index) const {
  if (index < handles_.size()) complete(index, index + 1);
}
void Awaited::completed() const { complete(0, handles_.size()); }

void Awaited::complete(std::size_t first, std::size_t end) const {
  const KeptErrno kept;
  const tool::InsideTool inside;
  Pending& all = pending();
  Over over;
  {
    const memory::SpinGuard guard(all.lock);
    for (std::size_t i = first; i < end; ++i) take(all, handles_[i], requests_.variable(i), call_.pc(), over);
  }
  finish(over);
}

void Awaited::given_up() const {
  const KeptErrno kept;
  const tool::InsideTool inside;
  Pending& all = pending();
  Over over;
  {
    const memory::SpinGuard guard(all.lock);
    for (std::size_t i = 0; i < handles_.size(); ++i) take(all, handles_[i], requests_.variable(i), 0, over);
    std::erase_if(over.known, [](const Operation& one) { return one.receives && !one.seen_complete; });
    for (const Operation& one : over.known) all.completions.try_emplace(one.began, call_.pc());
  }
  finish(over);
}

void completed_attached(const Call& call) {
  const KeptErrno kept;
  const tool::InsideTool inside;
  Pending& all = pending();
  Over over;
  {
    const memory::SpinGuard guard(all.lock);
    over.known.swap(all.attached);
    for (const Operation& one : over.known) all.completions.try_emplace(one.began, call.pc());
  }
  finish(over);
}

Address pending_since(Handle request) {
  const tool::InsideTool inside;
  Pending& all = pending();
  const memory::SpinGuard guard(all.lock);
  const auto found = all.by_handle.find(request);
  if (found == all.by_handle.end() || found->second.size() != 1) return 0;
  const Operation& one = found->second.front();
  return one.may_be_over || one.seen_complete ? 0 : one.began;
}

void seen_complete(Handle request) {
  const tool::InsideTool inside;
  Pending& all = pending();
  Over over;
  {
    const memory::SpinGuard guard(all.lock);
    if (const auto found = all.by_handle.find(request); found != all.by_handle.end()) {
      for (Operation& one : found->second) one.seen_complete = true;
      over.possible = found->second;
    }
  }
  finish(over);
}

void seen_complete(Handle request, int partition) {
  const tool::InsideTool inside;
  Pending& all = pending();
  Over over;
  {
    const memory::SpinGuard guard(all.lock);
    if (const auto found = all.by_handle.find(request); found != all.by_handle.end())
      std::ranges::copy_if(found->second, std::back_inserter(over.possible),
                           [&](const Operation& one) { return one.partition == partition; });
  }
  finish(over);
}

void completed_on(const Call& call, Handle window, int target, Side side) {
  const KeptErrno kept;
  const tool::InsideTool inside;
  const Handle on = abi()->clean(window);
  const auto is_over = [&](const Operation& one) {
    return one.window == on && (target < 0 || one.target == target) && one.side <= side;
  };
  Pending& all = pending();
  Over over;
  {
    const memory::SpinGuard guard(all.lock);
    const auto is_own = [&](const Operation& one) { return one.beginner == &call.thread(); };
    for (const Operation& one : all.completed_by_others)
      if (is_over(one)) (is_own(one) ? over.known : over.possible).push_back(one);
    std::erase_if(all.completed_by_others, [&](const Operation& one) { return is_over(one) && is_own(one); });
    for (const Operation& one : all.on_windows) {
      if (!is_over(one)) continue;
      all.completions.try_emplace(one.began, call.pc());
      (is_own(one) ? over.known : over.possible).push_back(one);
      if (!is_own(one)) all.completed_by_others.push_back(one);
    }
    std::erase_if(all.on_windows, is_over);
    if (auto& others = all.completed_by_others;
        others.size() > most_alike) { // of threads that complete none themselves
      const auto last = others.end() - static_cast<std::ptrdiff_t>(most_alike);
      over.known.insert(over.known.end(), others.begin(), last);
      others.erase(others.begin(), last);
    }
    for (const auto& [handle, operations] : all.by_handle) // whose requests are still to be waited for
      std::ranges::copy_if(operations, std::back_inserter(over.possible), is_over);
  }
  finish(over);
}

Address pending_on(Handle window) {
  const tool::InsideTool inside;
  Pending& all = pending();
  const memory::SpinGuard guard(all.lock);
  const auto found =
      std::ranges::find_if(all.on_windows, [&](const Operation& one) { return one.window == abi()->clean(window); });
  return found == all.on_windows.end() ? 0 : found->began;
}

std::vector<Address> unfinished() {
  const tool::InsideTool inside;
  Pending& all = pending();
  std::vector<Address> out;
  {
    const memory::SpinGuard guard(all.lock);
    for (const auto& [handle, operations] : all.by_handle)
      for (const Operation& one : operations)
        if (!one.may_be_over && one.partition < 0) out.push_back(one.began - 1);
    for (const Operation& one : all.on_windows)
      if (one.side == Side::target) out.push_back(one.began - 1);
  }
  std::ranges::sort(out);
  return out;
}

void tell_completion(Address began, Address pc) {
  Pending& all = pending();
  const memory::SpinGuard guard(all.lock);
  all.completions.try_emplace(began, pc);
}

Address completion_of(Address began) noexcept {
  Pending& all = pending();
  const memory::SpinGuard guard(all.lock);
  const auto found = all.completions.find(began);
  return found == all.completions.end() ? 0 : found->second;
}

} // namespace fletcher::interpose::mpi::operations
