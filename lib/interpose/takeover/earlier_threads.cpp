// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/takeover/earlier_threads.hpp"

#include "checker/memory/spin_lock.hpp"
#include "lib/interpose/threads/threads.hpp"
#include "lib/tool/session.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

namespace fletcher::interpose::earlier_threads {

namespace {

/// Those that have not become known.
class Unknown {
public:
  void note(std::span<const pid_t> threads) {
    const memory::SpinGuard guard(lock_);
    threads_.insert(threads.begin(), threads.end());
    some_.store(!threads_.empty(), std::memory_order_relaxed);
  }
  void erase_this_one() {
    if (!some()) return;
    const memory::SpinGuard guard(lock_);
    threads_.erase(static_cast<pid_t>(syscall(SYS_gettid)));
    some_.store(!threads_.empty(), std::memory_order_relaxed);
  }
  bool some() const noexcept { return some_.load(std::memory_order_relaxed); }

private:
  memory::SpinLock lock_;
  std::set<pid_t> threads_;
  std::atomic<bool> some_{false};
};
Unknown& unknown() {
  static auto* const the = new Unknown; // never destroyed
  return *the;
}

/// Mutexes that the thread is known to hold.
class Held {
public:
  void add(Address mutex) noexcept {
    if (count_ < mutexes_.size()) mutexes_[count_++] = mutex;
  }
  bool remove(Address mutex) noexcept {
    const auto end = mutexes_.begin() + count_;
    const auto at = std::find(mutexes_.begin(), end, mutex);
    if (at == end) return false;
    *at = mutexes_[--count_];
    return true;
  }

private:
  std::array<Address, 15> mutexes_{}; ///< further ones pass for unknown
  std::size_t count_ = 0;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Held held{};

/// No object of the program's is there.
constexpr Address all_that_is_known = (Address{1} << 63) - 1;

class FurtherEdges final : public Listener {
public:
  explicit FurtherEdges(Listener& checker) noexcept : checker_(checker) {}

  void on(const InitialTaskBegin& e) override {
    if (e.announced) return;
    checker_.on(Acquire{e.thread, all_that_is_known});
    unknown().erase_this_one();
  }
  void on(const Release& e) override { let_know(e.thread); }
  void on(const MutexEvent& e) override {
    if (e.mutex.kind != MutexKind::posix) return;
    if (e.step == MutexStep::acquired) {
      held.add(e.mutex.address);
      if (was_let_go_unknown(e.mutex.address)) checker_.on(Acquire{e.thread, e.mutex.address});
    } else if (e.step == MutexStep::released) {
      if (!held.remove(e.mutex.address)) let_go_unknown(e);
      let_know(e.thread);
    }
  }

private:
  void let_know(ThreadId thread) {
    if (unknown().some()) checker_.on(Release{thread, all_that_is_known});
  }
  bool was_let_go_unknown(Address mutex) {
    if (!any_.load(std::memory_order_acquire)) return false;
    const memory::SpinGuard guard(lock_);
    return let_go_.contains(mutex);
  }
  void let_go_unknown(const MutexEvent& e) {
    {
      const memory::SpinGuard guard(lock_);
      let_go_.insert(e.mutex.address);
    }
    any_.store(true, std::memory_order_release);
    checker_.on(Release{e.thread, e.mutex.address});
  }

  Listener& checker_;
  memory::SpinLock lock_;
  std::set<Address> let_go_; ///< by who was not known to hold them
  std::atomic<bool> any_{false};
};

} // namespace

access::ThreadState* detail::meet() noexcept {
  if (tool::InsideTool::here() || tool::session() == nullptr || tool::this_thread.left) return nullptr;
  access::ThreadState* const state = tool::attach_thread(TaskKind::foreign);
  const tool::InsideTool inside;
  threads::expect_end();
  return state;
}

void note(std::span<const pid_t> threads) {
  unknown().note(threads);
  detail::exist.store(true, std::memory_order_release);
}

Listener* make_listener(Listener& checker) { return new FurtherEdges(checker); }

} // namespace fletcher::interpose::earlier_threads
