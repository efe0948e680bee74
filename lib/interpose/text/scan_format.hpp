// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What scanf wrote through its arguments, by its format and its result. Relies on these and the arguments alone, and
// looks at no memory that they point to.
#pragma once

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fletcher::interpose {

struct ScannedPointer {
  enum class Kind : std::uint8_t { value, text, wide_text };
  Kind kind;
  void* address;
  std::size_t size; ///< of a value: bytes; of a text: the most characters that it can have, all bits if any number
};

class ScannedPointers {
public:
  static constexpr std::size_t most = 64;

  std::span<const ScannedPointer> all() const noexcept { return {pointers_.data(), size_}; }
  bool full() const noexcept { return size_ == most; }
  void add(const ScannedPointer& pointer) noexcept { pointers_[size_++] = pointer; }

private:
  std::array<ScannedPointer, most> pointers_; // not initialised: mostly it holds one or two
  std::size_t size_ = 0;
};

/// What 'a' in "%as" means: GNU's functions allocate the text, C99's read a number and then an 's'.
enum class ScanDialect : std::uint8_t { gnu, c99 };

/// The arguments that got something in a call that returned `assigned`. Of counts (%n) only those that were certainly
/// reached. The caller's `arguments` stay where they are.
ScannedPointers scanned_pointers(const char* format, std::va_list arguments, int assigned,
                                 ScanDialect dialect) noexcept;

} // namespace fletcher::interpose
