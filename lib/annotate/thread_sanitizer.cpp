// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/thread_sanitizer.hpp"

#include "lib/interpose/real.hpp"

#include <dlfcn.h>

#include <thread>

namespace fletcher::annotate {

namespace {

template <class Function> bool look_up(const char* name, Function*& function) noexcept {
  void* const found = dlsym(RTLD_DEFAULT, name);
  if (found == nullptr || interpose::is_own(found)) return false;
  function = reinterpret_cast<Function*>(found);
  return true;
}

} // namespace

std::optional<ThreadSanitizer> ThreadSanitizer::find() noexcept {
  ThreadSanitizer the;
  // Of what it offers for other languages' heaps, the functions that forget: AnnotateNewMemory does nothing.
  const bool complete = look_up("__tsan_release", the.release_) && look_up("__tsan_acquire", the.acquire_) &&
                        look_up("__tsan_atomic8_store", the.store_) && look_up("__tsan_java_free", the.free_) &&
                        look_up("__tsan_write8", the.write_) && look_up("__tsan_java_alloc", the.allocate_) &&
                        look_up("AnnotateIgnoreReadsBegin", the.ignore_reads_) &&
                        look_up("AnnotateIgnoreWritesBegin", the.ignore_writes_) &&
                        look_up("AnnotateIgnoreReadsEnd", the.notice_reads_) &&
                        look_up("AnnotateIgnoreWritesEnd", the.notice_writes_);
  look_up("__tsan_flush_memory", the.forget_all_);
  const bool has_fibers =
      look_up("__tsan_create_fiber", the.create_) && look_up("__tsan_destroy_fiber", the.destroy_) &&
      look_up("__tsan_set_fiber_name", the.name_) && look_up("__tsan_get_current_fiber", the.current_) &&
      look_up("AnnotateBenignRaceSized", the.disregard_) && look_up("__tsan_switch_to_fiber", the.switch_to_);
  if (!has_fibers) the.switch_to_ = nullptr;
  return complete ? std::optional(the) : std::nullopt;
}

void ThreadSanitizer::release(Point& point) const noexcept {
  using enum Point::State;
  static_assert(sizeof point.state == 1 && decltype(point.state)::is_always_lock_free);
  auto state = point.state.load(std::memory_order_acquire);
  if (state == not_released && point.state.compare_exchange_strong(state, being_released, std::memory_order_relaxed))
    return store_(reinterpret_cast<volatile Point::State*>(&point.state), released, __ATOMIC_RELEASE);
  for (; state != released; state = point.state.load(std::memory_order_acquire)) std::this_thread::yield();
  release_(&point);
}

void ThreadSanitizer::new_memory(Address begin, std::size_t size) const noexcept {
  constexpr Address cell = 8;
  const Address first = begin & ~(cell - 1), end = (begin + size + cell - 1) & ~(cell - 1);
  free_(first, end - first); // or each time would cost it a description of the block
  allocate_(first, end - first);
}

void ThreadSanitizer::forget_accesses(Address begin, Address end) const noexcept {
  constexpr Address cell = 8;
  begin &= ~(cell - 1);
  end &= ~(cell - 1);
  if (begin >= end) return;
  free_(begin, cell); // of the description of a block that it would keep there
  allocate_(begin, end - begin);
  free_(begin, cell);
}

void ThreadSanitizer::forget_accesses() const noexcept {
  if (forget_all_ != nullptr) forget_all_();
}

void ThreadSanitizer::disregard(Address begin, std::size_t size) const noexcept {
  disregard_(__FILE__, __LINE__, reinterpret_cast<const volatile void*>(begin), size, "a thread's own");
}

void* ThreadSanitizer::create_fiber(const char* name) const noexcept {
  void* const fiber = create_(0);
  if (fiber != nullptr) name_(fiber, name);
  return fiber;
}

void ThreadSanitizer::switch_to(void* fiber) const noexcept {
  constexpr unsigned no_sync = 1;
  switch_to_(fiber, no_sync);
}

void ThreadSanitizer::ignore() const noexcept {
  ignore_reads_(__FILE__, __LINE__);
  ignore_writes_(__FILE__, __LINE__);
}

void ThreadSanitizer::notice() const noexcept {
  notice_writes_(__FILE__, __LINE__);
  notice_reads_(__FILE__, __LINE__);
}

} // namespace fletcher::annotate
