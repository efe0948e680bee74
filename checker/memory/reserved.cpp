// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/reserved.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace fletcher::memory {
namespace {
constexpr std::size_t page = 4096;
} // namespace

Reservation::Reservation(std::size_t bytes, std::uintptr_t hint) noexcept {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* p = MAP_FAILED;
  if (hint != 0)
    p = mmap(reinterpret_cast<void*>(hint), bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, -1, 0);
  if (p == MAP_FAILED) p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (p == MAP_FAILED) return;
  // Sparse use: huge pages would make a touched byte cost 2 MB. Core files must not contain the reservation.
  madvise(p, bytes, MADV_NOHUGEPAGE);
  madvise(p, bytes, MADV_DONTDUMP);
  data_ = static_cast<std::byte*>(p);
  size_ = bytes;
}

Reservation Reservation::aligned(std::size_t bytes) noexcept {
  Reservation twice(2 * bytes);
  if (twice.data_ == nullptr) return twice;
  const std::size_t before = (bytes - reinterpret_cast<std::uintptr_t>(twice.data_) % bytes) % bytes;
  if (before != 0) munmap(twice.data_, before);
  twice.data_ += before;
  munmap(twice.data_ + bytes, bytes - before);
  twice.size_ = bytes;
  return twice;
}

Reservation::~Reservation() {
  if (data_ != nullptr) munmap(data_, size_);
}

void Reservation::discard(std::size_t offset, std::size_t bytes) noexcept {
  const std::size_t first = (offset + page - 1) / page * page;
  const std::size_t last = std::min(offset + bytes, size_) / page * page;
  if (first < last) madvise(data_ + first, last - first, MADV_DONTNEED);
}

void Reservation::populate(std::size_t offset, std::size_t bytes) noexcept {
  const std::size_t first = (offset + page - 1) / page * page;
  const std::size_t last = std::min(offset + bytes, size_) / page * page;
  const int kept = errno;
  if (first < last) madvise(data_ + first, last - first, MADV_POPULATE_WRITE);
  errno = kept;
}

void Reservation::clear(std::size_t offset, std::size_t bytes) noexcept {
  if (offset >= size_) return;
  bytes = std::min(bytes, size_ - offset);
  const std::size_t first = (offset + page - 1) / page * page;
  const std::size_t last = (offset + bytes) / page * page;
  if (first >= last) {
    std::memset(data_ + offset, 0, bytes);
    return;
  }
  std::memset(data_ + offset, 0, first - offset);
  std::memset(data_ + last, 0, offset + bytes - last);
  madvise(data_ + first, last - first, MADV_DONTNEED);
}

} // namespace fletcher::memory
