// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/symbols/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fletcher::reports {

MappedFile::MappedFile(const std::string& path) : data_(MAP_FAILED) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status{};
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  }
  ::close(descriptor);
}

MappedFile::~MappedFile() {
  if (data_ != MAP_FAILED) ::munmap(data_, size_);
}

std::string_view MappedFile::part(std::uint64_t offset, std::uint64_t length) const {
  if (data_ == MAP_FAILED || offset > size_ || length > size_ - offset) return {};
  return {static_cast<const char*>(data_) + offset, static_cast<std::size_t>(length)};
}

} // namespace fletcher::reports
