// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Goes through a format of printf or scanf: what the two have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fletcher::interpose {

/// How long the type is that a conversion names; `size`: as long as l, of a type that has another name.
enum class FormatLength : std::uint8_t { none, hh, h, l, size, ll };

/// Reads from `at_` on; never past the zero that ends the format.
template <class Char> class FormatCursor {
protected:
  explicit FormatCursor(const Char* format) noexcept : at_(format) {}

  /// Letters are ASCII.
  bool is_in(std::string_view letters) const noexcept {
    return *at_ > 0 && *at_ < 128 && letters.find(static_cast<char>(*at_)) != letters.npos;
  }
  bool skip(char letter) noexcept {
    if (*at_ != static_cast<Char>(letter)) return false;
    ++at_;
    return true;
  }
  /// 0 where there is none.
  unsigned number() noexcept {
    unsigned value = 0;
    for (; *at_ >= '0' && *at_ <= '9'; ++at_)
      if (value < 100'000'000) value = value * 10 + static_cast<unsigned>(*at_ - '0');
    return value;
  }
  FormatLength length() noexcept {
    if (skip('h')) return skip('h') ? FormatLength::hh : FormatLength::h;
    if (skip('l')) return skip('l') ? FormatLength::ll : FormatLength::l;
    if (skip('L') || skip('q')) return FormatLength::ll;
    static_assert(sizeof(long) == 8 && sizeof(std::size_t) == 8 && sizeof(std::intmax_t) == 8);
    return skip('j') || skip('z') || skip('Z') || skip('t') ? FormatLength::size : FormatLength::none;
  }

  const Char* at_;
};

} // namespace fletcher::interpose
