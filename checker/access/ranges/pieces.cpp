// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/ranges/pieces.hpp"

#include "checker/access/check.hpp"

namespace fletcher::access {

void check_pieces(ThreadState& thread, Address first, std::int64_t stride, std::size_t size, std::size_t count,
                  Kind kind, Address pc) {
  const auto step = static_cast<Address>(stride);
  const Address distance = stride < 0 ? Address{0} - step : step;
  if (count == 0 || size == 0) return;
  if (distance <= size) { // pieces that touch or overlap are one
    const Address length = distance * (count - 1), low = stride < 0 ? first - length : first;
    tell_watcher(thread, low, length + size, kind, pc);
    return check_range(thread, low, length + size, kind, pc);
  }
  constexpr std::size_t few = 64; // bytes
  const bool watched = thread.watcher.load(std::memory_order_relaxed) != nullptr;
  if (size <= few && !watched) // fields and columns of numbers
    return check_strided(thread, first, step, size, count, kind, pc);
  if (size > 16) {
    for (; count > 0; --count, first += step) {
      tell_watcher(thread, first, size, kind, pc);
      check_range(thread, first, size, kind, pc);
    }
  } else {
    for (; count > 0; --count, first += step) check(thread, first, size, kind, pc);
  }
}

} // namespace fletcher::access
