// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/filled_pages.hpp"

namespace fletcher::memory {

void FilledPages::fill(Reservation& of, std::size_t offset, std::size_t bytes) noexcept {
  const std::size_t first = offset / page, last = (offset + bytes - 1) / page + 1, pages = of.size() / page;
  std::size_t before = 0, end = last;
  while (before < std::min(most_ahead, first) && is_set(first - 1 - before)) ++before;
  const std::size_t ahead = std::min(last + (is_set(last - 1) ? 0 : before), pages);
  while (end < ahead && !is_set(end)) ++end;
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

void FilledPages::given_back(const Reservation& of, std::size_t offset, std::size_t bytes) noexcept {
  const std::size_t first = (offset + page - 1) / page, last = std::min(offset + bytes, of.size()) / page;
  bits_.clear((first + 63) / 64, last / 64);
}

} // namespace fletcher::memory
