// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/filled_pages.hpp"

#include <cerrno>
#include <sys/mman.h>

namespace fletcher::memory {

// Those of the pages that are not filled.
void FilledPages::fill_pages(Reservation& of, std::size_t first, std::size_t end) noexcept {
  for (std::size_t run = first; run < end;) {
    if (is_set(run)) {
      ++run;
      continue;
    }
    const std::size_t begin = run;
    for (; run < end && !is_set(run); ++run) {
      if (const std::size_t s = run / pages_of_stretch; (stretches_[s / 64].load() >> s % 64 & 1) == 0)
        set(stretches_[s / 64], s);
      set(bits_[run / 64], run);
    }
    of.populate(begin * page, (run - begin) * page);
  }
}

void FilledPages::fill(Reservation& of, std::size_t offset, std::size_t bytes, std::uintptr_t program) noexcept {
  const std::size_t first = offset / page, last = (offset + bytes - 1) / page + 1, pages = of.size() / page;
  const std::size_t window = first / most_ahead * most_ahead;
  const bool beside = program != 0 && window + most_ahead <= pages && any_of_window(window);
  std::size_t before = 0, end = last;
  while (before < std::min(most_ahead, first) && is_set(first - 1 - before)) ++before;
  const std::size_t ahead = std::min(last + (is_set(last - 1) ? 0 : before), pages);
  while (end < ahead && !is_set(end)) ++end;
  fill_pages(of, first, end);
  if (beside) fill_window(of, window, program - (offset - window * page));
}

// Where the program has memory: `program` is what the window's first byte is of.
void FilledPages::fill_window(Reservation& of, std::size_t window, std::uintptr_t program) noexcept {
  unsigned char resident[most_ahead + 1];
  const int kept = errno;
  const bool known = mincore(reinterpret_cast<void*>(program / page * page), sizeof resident * page, resident) == 0;
  errno = kept;
  for (std::size_t i = 0; known && i < most_ahead; ++i)
    if ((resident[i] & resident[i + 1] & 1) != 0) {
      const std::size_t begin = i;
      while (i + 1 < most_ahead && (resident[i + 1] & resident[i + 2] & 1) != 0) ++i;
      fill_pages(of, window + begin, window + i + 1);
    }
}

void FilledPages::given_back(const Reservation& of, std::size_t offset, std::size_t bytes) noexcept {
  const std::size_t first = (offset + page - 1) / page, last = std::min(offset + bytes, of.size()) / page;
  bits_.clear((first + 63) / 64, last / 64);
}

} // namespace fletcher::memory
