// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of functions are compared here without libc: until the take-over its functions are ThreadSanitizer's, which
// check what they read, and during it they must not be called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fletcher::interpose::names {

constexpr bool begins(std::string_view name, std::string_view beginning) noexcept {
  if (name.size() < beginning.size()) return false;
  for (std::size_t i = 0; i < beginning.size(); ++i)
    if (name[i] != beginning[i]) return false;
  return true;
}
constexpr bool is_same(std::string_view a, std::string_view b) noexcept { return a.size() == b.size() && begins(a, b); }
constexpr bool is_same(std::string_view a, const char* b) noexcept {
  for (const char c : a)
    if (*b++ != c) return false;
  return *b == '\0';
}

/// FNV-1a.
constexpr std::uint32_t hash(std::string_view name) noexcept {
  std::uint32_t value = 2166136261;
  for (const char c : name) value = (value ^ static_cast<unsigned char>(c)) * 16777619;
  return value;
}

} // namespace fletcher::interpose::names
