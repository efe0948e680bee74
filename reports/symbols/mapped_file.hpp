// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file's bytes in memory, for formats of records (ELF). Every part is checked against the file's size: the file may
// be truncated or hostile. Relies on POSIX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

class MappedFile {
public:
  /// An unreadable file has no parts.
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// Part of the file, or empty where the file does not reach so far.
  std::string_view part(std::uint64_t offset, std::uint64_t length) const;

private:
  void* data_;
  std::size_t size_ = 0;
};

/// Copies out, because nothing promises that the file's records are aligned.
template <class T> std::vector<T> records(std::string_view bytes) {
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
  return out;
}

} // namespace fletcher::reports
