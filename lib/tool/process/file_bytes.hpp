// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file of the checked process, for its tables of symbols. Unlike MappedFile of reports/symbols it allocates and
// copies nothing. Relies on POSIX.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace fletcher::tool {

/// A file's bytes, for as long as this lives; none where it cannot be read.
class FileBytes {
public:
  explicit FileBytes(const char* path) {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat about{};
    if (::fstat(file, &about) == 0 && about.st_size > 0) {
      size_ = static_cast<std::size_t>(about.st_size);
      void* const at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (at != MAP_FAILED) bytes_ = static_cast<const std::byte*>(at);
    }
    ::close(file);
  }
  ~FileBytes() {
    if (bytes_ != nullptr) ::munmap(const_cast<std::byte*>(bytes_), size_);
  }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  /// `count` objects from `offset` on; none where the file ends before, or they are not aligned.
  template <class T> std::span<const T> at(std::uint64_t offset, std::uint64_t count) const {
    if (bytes_ == nullptr || offset > size_ || offset % alignof(T) != 0 || count > (size_ - offset) / sizeof(T))
      return {};
    return {reinterpret_cast<const T*>(bytes_ + offset), count};
  }

private:
  const std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace fletcher::tool
