// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sprintf and its relatives, and fgets: what they put into the buffer of the instrumented code that calls them.

#include "lib/interpose/libc.hpp"
#include "lib/interpose/observe.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using Size = std::size_t;

constinit Real<int(char*, const char*, va_list) noexcept> real_vsprintf{"vsprintf"};
constinit Real<int(char*, Size, const char*, va_list) noexcept> real_vsnprintf{"vsnprintf"};
constinit Real<int(char*, int, Size, const char*, va_list) noexcept> real_vsprintf_chk{"__vsprintf_chk"};
constinit Real<int(char*, Size, int, Size, const char*, va_list) noexcept> real_vsnprintf_chk{"__vsnprintf_chk"};
constinit Real<char*(char*, int, FILE*)> real_fgets{"fgets"};

/// The bytes of `buffer` that a caller of instrumented code, who goes on at `pc`, had written for it.
void written(const char* buffer, Size bytes, Address pc) {
  access::ThreadState* const thread = outside_tool();
  if (thread == nullptr || thread->off > 0 || !modules::is_instrumented(pc)) [[likely]]
    return;
  writes(*thread, buffer, bytes, pc);
}

/// A text of `length` characters, negative where that failed, went to a buffer with `room` for some of it and a zero.
int formatted(const char* buffer, Size room, int length, Address pc) {
  if (length >= 0 && room != 0) written(buffer, std::min(static_cast<Size>(length) + 1, room), pc);
  return length;
}

constexpr Size unlimited = ~Size{0};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int vsprintf(char* buffer, const char* format, va_list arguments) noexcept {
  return formatted(buffer, unlimited, real_vsprintf(buffer, format, arguments), caller());
}
int vsnprintf(char* buffer, Size room, const char* format, va_list arguments) noexcept {
  return formatted(buffer, room, real_vsnprintf(buffer, room, format, arguments), caller());
}
int __vsprintf_chk(char* buffer, int flag, Size size, const char* format, va_list arguments) noexcept {
  return formatted(buffer, unlimited, real_vsprintf_chk(buffer, flag, size, format, arguments), caller());
}
int __vsnprintf_chk(char* buffer, Size room, int flag, Size size, const char* format, va_list arguments) noexcept {
  return formatted(buffer, room, real_vsnprintf_chk(buffer, room, flag, size, format, arguments), caller());
}

int sprintf(char* buffer, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int length = real_vsprintf(buffer, format, arguments);
  va_end(arguments);
  return formatted(buffer, unlimited, length, caller());
}
int snprintf(char* buffer, Size room, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int length = real_vsnprintf(buffer, room, format, arguments);
  va_end(arguments);
  return formatted(buffer, room, length, caller());
}
int __sprintf_chk(char* buffer, int flag, Size size, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int length = real_vsprintf_chk(buffer, flag, size, format, arguments);
  va_end(arguments);
  return formatted(buffer, unlimited, length, caller());
}
int __snprintf_chk(char* buffer, Size room, int flag, Size size, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int length = real_vsnprintf_chk(buffer, room, flag, size, format, arguments);
  va_end(arguments);
  return formatted(buffer, room, length, caller());
}

char* fgets(char* buffer, int room, FILE* file) {
  char* const line = real_fgets(buffer, room, file);
  if (line != nullptr) written(line, libc::strlen(line) + 1, caller());
  return line;
}

} // extern "C"
#pragma GCC visibility pop
