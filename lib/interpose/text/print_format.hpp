// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of printf's arguments point to memory that the call reads or writes, by its format. Relies on the format and
// the arguments alone, and looks at no memory that they point to.
#pragma once

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fletcher::interpose {

struct PrintedPointer {
  enum class Use : std::uint8_t { text, wide_text, count };
  Use use;
  void* address;
  std::size_t limit; ///< of a text: its precision, all bits where there is none; of a count: its bytes
};

/// In the order in which the format names them.
class PrintedPointers {
public:
  static constexpr std::size_t most = 64;

  std::span<const PrintedPointer> all() const noexcept { return {pointers_.data(), size_}; }
  void add(const PrintedPointer& pointer) noexcept {
    if (size_ < most) pointers_[size_++] = pointer;
  }

private:
  std::array<PrintedPointer, most> pointers_; // not initialised: mostly it holds one or two
  std::size_t size_ = 0;
};

/// Up to a conversion that is not the standard's nor glibc's, or that needs more than the first `most` arguments. Null
/// pointers are left out. `Char` is char or wchar_t. The caller's `arguments` stay where they are.
template <class Char> PrintedPointers printed_pointers(const Char* format, std::va_list arguments) noexcept;

/// What printed_pointers knows such a conversion by: 's' of "%-5ls".
bool is_known_conversion(int letter) noexcept;

} // namespace fletcher::interpose
