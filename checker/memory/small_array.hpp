// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list that is mostly empty and rarely changes, in one pointer: for objects of which millions live at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace fletcher::memory {

/// Owns its elements. Assigning costs an allocation, unless the list is empty.
template <class T>
  requires std::is_trivially_copyable_v<T>
class SmallArray {
public:
  void assign(std::span<const T> values) {
    block_.reset();
    if (values.empty()) return;
    // The number of elements is kept in front of them.
    block_ = std::make_unique_for_overwrite<std::byte[]>(header + values.size_bytes());
    *std::construct_at(reinterpret_cast<std::size_t*>(block_.get())) = values.size();
    std::uninitialized_copy(values.begin(), values.end(), reinterpret_cast<T*>(block_.get() + header));
  }
  void clear() noexcept { block_.reset(); }
  bool empty() const noexcept { return block_ == nullptr; }
  std::size_t size() const noexcept { return empty() ? 0 : *reinterpret_cast<const std::size_t*>(block_.get()); }
  const T* begin() const noexcept { return empty() ? nullptr : reinterpret_cast<const T*>(block_.get() + header); }
  const T* end() const noexcept { return begin() + size(); }

private:
  static constexpr std::size_t header = sizeof(std::size_t);
  static_assert(alignof(T) <= header);
  std::unique_ptr<std::byte[]> block_;
};

} // namespace fletcher::memory
