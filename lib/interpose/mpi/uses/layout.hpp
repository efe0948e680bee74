// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes a buffer of a datatype has: those that an operation surely accesses. Gaps of derived datatypes are none
// of them.
#pragma once

#include "lib/interpose/mpi/library.hpp"

#include <algorithm>
#include <vector>

namespace fletcher::interpose::mpi {

struct Bytes {
  Displacement offset = 0; ///< from the buffer's address
  std::size_t size = 0;
};

/// A datatype, as far as buffers are concerned.
class Layout {
public:
  /// Of a datatype that the program passes; nothing is in it where the handle is that of no datatype.
  explicit Layout(Handle datatype);

  Displacement extent() const noexcept { return extent_; }
  /// That at a buffer's address itself.
  bool has_first_byte() const noexcept {
    return std::ranges::any_of(blocks_, [](const Bytes& one) { return one.offset == 0 && one.size > 0; });
  }
  /// Calls `f(address, bytes)` for the parts of `count` elements from `buffer` on.
  template <class F> void each(const void* buffer, std::int64_t count, F f) const {
    const auto base = reinterpret_cast<Address>(buffer);
    if (count <= 0 || blocks_.empty()) return;
    if (blocks_.size() == 1 && static_cast<Displacement>(blocks_[0].size) == extent_)
      return f(base + static_cast<Address>(blocks_[0].offset), blocks_[0].size * static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
      for (const Bytes& block : blocks_) f(base + static_cast<Address>(i * extent_ + block.offset), block.size);
  }

private:
  std::vector<Bytes> blocks_; ///< of one element
  Displacement extent_ = 0;
};

} // namespace fletcher::interpose::mpi
