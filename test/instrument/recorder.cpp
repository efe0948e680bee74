// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the checker that the entry points call, replaced at link time.

#include "test/instrument/recorder.hpp"

#include "checker/access/check.hpp"
#include "checker/checker.hpp"
#include "lib/interpose/takeover/earlier_threads.hpp"
#include "lib/tool/thread.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <iterator>
#include <new>

namespace fletcher {

namespace {
thread_local test::Recorder* current = nullptr;

void record(Address address, std::size_t size, access::Kind kind, Address pc, bool range) {
  current->accesses.push_back({address, size, kind, pc, range});
  current->order.emplace_back("access");
}

void say(const char* what) { current->order.emplace_back(what); }

constinit access::Glance nobody;

/// Never looked into: the entry points only take its address.
alignas(Checker) std::byte checker_memory[sizeof(Checker)];
} // namespace

} // namespace fletcher

constinit thread_local fletcher::access::Glance* __fletcher_glance_5 = &fletcher::nobody;

namespace fletcher {

namespace access {
void check_granule(ThreadState&, Address granule, std::uint64_t need, Address pc) {
  const Cell access(need);
  record(granule + static_cast<unsigned>(std::countr_zero(access.mask())),
         static_cast<std::size_t>(std::popcount(access.mask())), access.kind(), pc, false);
}
void check_same_past(ThreadState& thread, Address granule, std::uint64_t need, Address pc) {
  check_granule(thread, granule, need, pc);
}
void check_pair(ThreadState&, Address granule, Kind kind, Address pc) { record(granule, 16, kind, pc, false); }
void check_strided(ThreadState&, Address first, Address step, std::size_t size, std::size_t count, Kind kind,
                   Address pc) {
  for (; count > 0; --count, first += step) record(first, size, kind, pc, false);
}
bool told_of_reads(const ThreadState&, Address granule, std::size_t count) noexcept {
  record(granule, count * 8, Kind::read, 0, true);
  return false;
}
void check_range(ThreadState&, Address address, std::size_t size, Kind kind, Address pc) {
  record(address, size, kind, pc, true);
}
} // namespace access

namespace constructs {
struct AtomicOrder::State {};
AtomicOrder::AtomicOrder(Execution& execution) : execution_(execution) {}
AtomicOrder::~AtomicOrder() = default;
AtomicOrder::Locked::Locked(AtomicOrder& order, Address address) : order_(order), address_(address) { say("lock"); }
AtomicOrder::Locked::~Locked() { say("unlock"); }
StrandId AtomicOrder::known_writer(Address) const noexcept { return StrandId::none; }
StrandId AtomicOrder::last_writer(Address) noexcept {
  say("last_writer");
  return StrandId::none;
}
std::optional<StrandId> AtomicOrder::seen_writer(Address) const noexcept { return current->seen_writer; }
bool AtomicOrder::has_learned(const access::ThreadState&, Address, MemoryOrder) const noexcept { return false; }
void AtomicOrder::write(access::ThreadState&, Address) noexcept { say("write"); }
void AtomicOrder::read_from(access::ThreadState&, StrandId) { say("read_from"); }
void AtomicOrder::expect_order(Address, MemoryOrder) noexcept {}
void AtomicOrder::keep_for_fences(Address) noexcept {}
void AtomicOrder::learn_from(access::ThreadState&, Address, MemoryOrder) { say("learn_from"); }
void AtomicOrder::before_store(access::ThreadState&, Address, MemoryOrder) { say("before_store"); }
void AtomicOrder::take(access::ThreadState&, Address, MemoryOrder, bool) { say("take"); }
void AtomicOrder::give(access::ThreadState&, Address, MemoryOrder) { say("give"); }
void AtomicOrder::fence(access::ThreadState&, MemoryOrder) { say("fence"); }
void draw_number(access::ThreadState&) noexcept {}
void goes_alone(access::ThreadState&) noexcept {}
} // namespace constructs

namespace tool {
void die_of_deferred_signal() noexcept {}
int status_at_end() noexcept { return -1; }
} // namespace tool

namespace interpose::earlier_threads {
access::ThreadState* detail::meet() noexcept { return nullptr; }
void note(std::span<const pid_t>) {}
} // namespace interpose::earlier_threads

namespace test {

namespace {
constructs::AtomicOrder& atomics() {
  static std::byte no_execution;
  static constructs::AtomicOrder order(reinterpret_cast<constructs::Execution&>(no_execution));
  return order;
}
} // namespace

WatchedThread::WatchedThread(bool checking) {
  current = &recorder_;
  state_.set_shadow(shadow_, 8); // every granule meets one of two empty cells
  state_.set_strand(StrandId{7});
  if (checking) state_.switch_on();
  state_.checker = reinterpret_cast<Checker*>(checker_memory);
  state_.atomics = &atomics();
  state_.stack.attach(frames_, std::size(frames_));
  state_.stack_high = ~Address{0};
  tool::this_thread.attached = tool::this_thread.current = &state_;
  __fletcher_glance_5 = &state_;
}

WatchedThread::~WatchedThread() {
  tool::this_thread.attached = tool::this_thread.current = nullptr;
  __fletcher_glance_5 = &nobody;
  current = nullptr;
}

Access WatchedThread::only_access() const {
  EXPECT_EQ(recorder_.accesses.size(), 1U);
  return recorder_.accesses.size() == 1 ? recorder_.accesses.front() : Access{};
}

} // namespace test
} // namespace fletcher
