// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libc's own functions that more than one file calls past the interposers.
#pragma once

#include "lib/interpose/real.hpp"

#include <cstddef>

namespace fletcher::interpose::libc {

// memcpy is memmove here: on the platforms supported they are the same code, and old binaries rely on it.
inline constinit Real<void*(void*, const void*, std::size_t) noexcept> memmove{"memmove"};
inline constinit Real<void*(void*, int, std::size_t) noexcept> memset{"memset"};
inline constinit Real<std::size_t(const char*) noexcept> strlen{"strlen"};
inline constinit Real<std::size_t(const char*, std::size_t) noexcept> strnlen{"strnlen"};
inline constinit Real<std::size_t(const wchar_t*) noexcept> wcslen{"wcslen"};
inline constinit Real<std::size_t(const wchar_t*, std::size_t) noexcept> wcsnlen{"wcsnlen"};

} // namespace fletcher::interpose::libc
