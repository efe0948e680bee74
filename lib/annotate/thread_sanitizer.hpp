// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of ThreadSanitizer's interface by which one lets it know what it cannot see: sanitizer/tsan_interface.h, and
// its annotations. Its runtime is somewhere in the process.
#pragma once

#include "checker/ids.hpp"

#include <atomic>
#include <cstddef>
#include <optional>

namespace fletcher::annotate {

/// An acquire of one comes after all earlier releases of it. ThreadSanitizer knows it by its address, and keeps what it
/// knows of the address forever: to describe it anew costs more than all else, a copy of the call stack for one. So
/// the first release of a new point takes the place of what an earlier point at its address was released by.
struct alignas(8) Point {
  enum class State : unsigned char { not_released, being_released, released };
  std::atomic<State> state{State::not_released};
};

class ThreadSanitizer {
public:
  /// Nothing: there is none in the process, or not all of this.
  static std::optional<ThreadSanitizer> find() noexcept;

  void release(Point& point) const noexcept;
  void acquire(Point& point) const noexcept {
    if (point.state.load(std::memory_order_acquire) == Point::State::released) acquire_(&point);
  }
  /// Nobody has accessed this memory yet.
  void new_memory(Address begin, std::size_t size) const noexcept;
  /// Nor this; but what is known of locks there stays. No object of the program's begins in the first eight bytes.
  void forget_accesses(Address begin, Address end) const noexcept;
  /// Nobody has accessed anything yet.
  void forget_accesses() const noexcept;
  /// The running one has written eight bytes.
  void write(Address address) const noexcept { write_(reinterpret_cast<void*>(address)); }
  /// Two who race there are not reported.
  void disregard(Address begin, std::size_t size) const noexcept;

  /// A thread can be several of ThreadSanitizer's, one after the other: it is what it has switched to last. A switch
  /// orders nothing.
  bool has_fibers() const noexcept { return switch_to_ != nullptr; }
  /// It comes after all that the running one did.
  void* create_fiber(const char* name) const noexcept;
  void destroy_fiber(void* fiber) const noexcept { destroy_(fiber); }
  void* current_fiber() const noexcept { return current_(); }
  void switch_to(void* fiber) const noexcept;
  /// Reports have the name that it has then.
  void set_name(void* fiber, const char* name) const noexcept { name_(fiber, name); }

  /// What the thread accesses until the other is called is nobody's access. Calls nest.
  void ignore() const noexcept;
  void notice() const noexcept;

private:
  using AtPlace = void(const char* file, int line);
  using Disregard = void(const char* file, int line, const volatile void* begin, std::size_t size, const char* why);

  void (*release_)(void*) = nullptr;
  void (*store_)(volatile Point::State*, Point::State, int order) = nullptr; ///< an atomic variable's
  void (*write_)(void*) = nullptr;
  void (*acquire_)(void*) = nullptr;
  void (*forget_all_)() = nullptr; ///< null: not there
  void (*free_)(Address, Address) = nullptr;
  void (*allocate_)(Address, Address) = nullptr;
  AtPlace *ignore_reads_ = nullptr, *ignore_writes_ = nullptr, *notice_reads_ = nullptr, *notice_writes_ = nullptr;
  Disregard* disregard_ = nullptr;
  void* (*create_)(unsigned) = nullptr;
  void (*destroy_)(void*) = nullptr;
  void (*name_)(void*, const char*) = nullptr;
  void* (*current_)() = nullptr;
  void (*switch_to_)(void*, unsigned) = nullptr; ///< null: not all of what fibers need is there
};

} // namespace fletcher::annotate
