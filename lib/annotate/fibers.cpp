// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/fibers.hpp"

#include "lib/tool/log.hpp"
#include "lib/tool/thread.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>

namespace fletcher::annotate {

namespace {

/// Fewer than ThreadSanitizer distinguishes at a time (256), with room for threads. A prime number: tasks that come in
/// rows are not always as far from each other.
constexpr unsigned enough = 61;
/// LLVM's runtimes before 15 end a process that has 8128.
constexpr unsigned most = 4000;

/// As large as the thread's own. Nothing where there is no address space.
Address make_stack() noexcept {
  constexpr std::size_t least = std::size_t{8} << 20, largest = std::size_t{1} << 30, guard = 4096;
  const auto& own = tool::this_thread.stack;
  const std::size_t size = (std::clamp(std::size_t{own.high - own.low}, least, largest) + guard - 1) & ~(guard - 1);
  void* const low =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (low == MAP_FAILED) return 0;
  mprotect(low, guard, PROT_NONE);
  return reinterpret_cast<Address>(low) + size;
}

} // namespace

Fiber* Fibers::take() noexcept {
  const memory::SpinGuard guard(lock_);
  if (unused_ < enough)
    if (Fiber* const made = make()) return made;
  Fiber* const found = first_;
  if (found == nullptr) return nullptr;
  first_ = found->next;
  if (first_ == nullptr) last_ = nullptr;
  --unused_;
  return found;
}

void Fibers::give_back(Fiber& fiber) noexcept {
  const memory::SpinGuard guard(lock_);
  fiber.next = nullptr;
  (last_ == nullptr ? first_ : last_->next) = &fiber;
  last_ = &fiber;
  ++unused_;
}

Fiber* Fibers::make() noexcept {
  if (made_ >= most) return nullptr;
  if (++made_ == most)
    tool::say(
        "more tasks wait in one another than ThreadSanitizer may have fibers for: what the innermost do counts as "
        "their thread's");
  const Address stack = make_stack();
  if (stack == 0) {
    made_ = most;
    return nullptr;
  }
  void* const running = sanitizer_.current_fiber();
  sanitizer_.switch_to(origin_);
  void* const handle = sanitizer_.create_fiber("OpenMP task");
  sanitizer_.switch_to(running);
  return handle == nullptr ? nullptr : new Fiber{handle, stack};
}

} // namespace fletcher::annotate
