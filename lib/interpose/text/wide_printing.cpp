// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wprintf and its relatives, for formats of wide characters: the texts of the instrumented code that calls them, and
// what swprintf puts into its buffer. What prints to a stream may throw.

#include "lib/interpose/real.hpp"
#include "lib/interpose/text/print_accesses.hpp"

#include <cstdarg>
#include <cstdio>
#include <cwchar>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using W = wchar_t;
using Size = std::size_t;

constinit Real<int(const W*, va_list)> real_vwprintf{"vwprintf"};
constinit Real<int(FILE*, const W*, va_list)> real_vfwprintf{"vfwprintf"};
constinit Real<int(W*, Size, const W*, va_list) noexcept> real_vswprintf{"vswprintf"};
constinit Real<int(int, const W*, va_list)> real_vwprintf_chk{"__vwprintf_chk"};
constinit Real<int(FILE*, int, const W*, va_list)> real_vfwprintf_chk{"__vfwprintf_chk"};
constinit Real<int(W*, Size, int, Size, const W*, va_list) noexcept> real_vswprintf_chk{"__vswprintf_chk"};

// Inlined, so that each interposer asks for its own caller.
[[gnu::always_inline]] inline int make(Address pc, W* buffer, Size room, const W* format, va_list arguments) {
  reads_for_format(pc, format, arguments);
  const int length = real_vswprintf(buffer, room, format, arguments);
  writes_formatted(pc, buffer, room, length);
  return length;
}
[[gnu::always_inline]] inline int make_checked(Address pc, W* buffer, Size room, int flag, Size size, const W* format,
                                               va_list arguments) {
  reads_for_format(pc, format, arguments);
  const int length = real_vswprintf_chk(buffer, room, flag, size, format, arguments);
  writes_formatted(pc, buffer, room, length);
  return length;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int vwprintf(const W* format, va_list arguments) {
  reads_for_format(caller(), format, arguments);
  return real_vwprintf(format, arguments);
}
int vfwprintf(FILE* file, const W* format, va_list arguments) {
  reads_for_format(caller(), format, arguments);
  return real_vfwprintf(file, format, arguments);
}
int vswprintf(W* buffer, Size room, const W* format, va_list arguments) noexcept {
  return make(caller(), buffer, room, format, arguments);
}
int __vwprintf_chk(int flag, const W* format, va_list arguments) {
  reads_for_format(caller(), format, arguments);
  return real_vwprintf_chk(flag, format, arguments);
}
int __vfwprintf_chk(FILE* file, int flag, const W* format, va_list arguments) {
  reads_for_format(caller(), format, arguments);
  return real_vfwprintf_chk(file, flag, format, arguments);
}
int __vswprintf_chk(W* buffer, Size room, int flag, Size size, const W* format, va_list arguments) noexcept {
  return make_checked(caller(), buffer, room, flag, size, format, arguments);
}

int wprintf(const W* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  reads_for_format(caller(), format, arguments);
  const int length = real_vwprintf(format, arguments);
  va_end(arguments);
  return length;
}
int fwprintf(FILE* file, const W* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  reads_for_format(caller(), format, arguments);
  const int length = real_vfwprintf(file, format, arguments);
  va_end(arguments);
  return length;
}
int swprintf(W* buffer, Size room, const W* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int length = make(caller(), buffer, room, format, arguments);
  va_end(arguments);
  return length;
}
int __wprintf_chk(int flag, const W* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  reads_for_format(caller(), format, arguments);
  const int length = real_vwprintf_chk(flag, format, arguments);
  va_end(arguments);
  return length;
}
int __fwprintf_chk(FILE* file, int flag, const W* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  reads_for_format(caller(), format, arguments);
  const int length = real_vfwprintf_chk(file, flag, format, arguments);
  va_end(arguments);
  return length;
}
int __swprintf_chk(W* buffer, Size room, int flag, Size size, const W* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int length = make_checked(caller(), buffer, room, flag, size, format, arguments);
  va_end(arguments);
  return length;
}

} // extern "C"
#pragma GCC visibility pop
