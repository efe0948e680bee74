// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/tasks/fibers.hpp"

#include "lib/tool/log.hpp"
#include "lib/tool/thread.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace fletcher::annotate {

namespace {

/// Fewer than ThreadSanitizer distinguishes at a time (256), with room for threads. A prime number: tasks that come in
/// rows are not always as far from each other.
constexpr unsigned enough = 61;
/// LLVM's runtimes before 15 end a process that has 8128.
constexpr unsigned most = 4000;

/// Behind a stack: a frame may be larger than a page.
constexpr std::size_t guard = std::size_t{1} << 20;

/// What runs on one expects as much room as on this thread, also where the program has raised the limit since.
std::size_t needed_size() noexcept {
  constexpr std::size_t least = std::size_t{8} << 20, largest = std::size_t{1} << 30, page = 4096;
  const auto& own = tool::this_thread.stack;
  rlimit limit{};
  getrlimit(RLIMIT_STACK, &limit);
  const std::size_t size = std::max<std::size_t>(own.high - own.low, limit.rlim_cur);
  return std::clamp(size, least, largest) / page * page;
}

/// Its high end. Nothing where there is no address space.
Address make_stack(std::size_t size) noexcept {
  void* const low = mmap(nullptr, guard + size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (low == MAP_FAILED) return 0;
  mprotect(low, guard, PROT_NONE);
  return reinterpret_cast<Address>(low) + guard + size;
}

void remove_stack(const Fiber& fiber) noexcept {
  munmap(reinterpret_cast<void*>(fiber.stack - fiber.size - guard), guard + fiber.size);
}

} // namespace

Fiber* Fibers::take() noexcept {
  const std::size_t size = needed_size();
  const memory::SpinGuard lock(lock_);
  Fiber* const found = find(size);
  if (found == nullptr || found->size >= size) return found;
  const Address stack = make_stack(size);
  if (stack == 0) {
    put(*found);
    return nullptr;
  }
  remove_stack(*found);
  found->stack = stack;
  found->size = size;
  return found;
}

void Fibers::give_back(Fiber& fiber) noexcept {
  const memory::SpinGuard lock(lock_);
  put(fiber);
}

void Fibers::destroy_unused() noexcept {
  const memory::SpinGuard lock(lock_);
  made_ = most;
  while (Fiber* const fiber = first_) {
    first_ = fiber->next;
    sanitizer_.destroy_fiber(fiber->handle);
    remove_stack(*fiber);
    delete fiber;
  }
  last_ = nullptr;
  unused_ = 0;
  if (void* const origin = std::exchange(origin_, nullptr)) sanitizer_.destroy_fiber(origin);
}

Fiber* Fibers::find(std::size_t stack_size) noexcept {
  if (unused_ < enough)
    if (Fiber* const made = make(stack_size)) return made;
  Fiber* const found = first_;
  if (found == nullptr) return nullptr;
  first_ = found->next;
  if (first_ == nullptr) last_ = nullptr;
  --unused_;
  return found;
}

void Fibers::put(Fiber& fiber) noexcept {
  fiber.next = nullptr;
  (last_ == nullptr ? first_ : last_->next) = &fiber;
  last_ = &fiber;
  ++unused_;
}

Fiber* Fibers::make(std::size_t stack_size) noexcept {
  if (made_ >= most) return nullptr;
  if (++made_ == most)
    tool::say("more nested tasks wait than ThreadSanitizer can have fibers for: accesses of the innermost ones count "
              "as their thread's");
  const Address stack = make_stack(stack_size);
  if (stack == 0) {
    made_ = most;
    return nullptr;
  }
  void* const running = sanitizer_.current_fiber();
  sanitizer_.switch_to(origin_);
  void* const handle = sanitizer_.create_fiber("OpenMP task");
  sanitizer_.switch_to(running);
  return handle == nullptr ? nullptr : new Fiber{handle, stack, stack_size};
}

} // namespace fletcher::annotate
