// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sprintf and its relatives: what they put into the buffer of the instrumented code that calls them, and the texts of
// which they make it.

#include "lib/interpose/real.hpp"
#include "lib/interpose/text/print_accesses.hpp"

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
constinit Real<int(char**, const char*, va_list) noexcept> real_vasprintf{"vasprintf"};
constinit Real<int(char**, int, const char*, va_list) noexcept> real_vasprintf_chk{"__vasprintf_chk"};

constexpr Size unlimited = ~Size{0};

// Inlined, so that each interposer asks for its own caller.
[[gnu::always_inline]] inline int make(Address pc, char* buffer, const char* format, va_list arguments) {
  reads_for_format(pc, format, arguments);
  const int length = real_vsprintf(buffer, format, arguments);
  writes_formatted(pc, buffer, unlimited, length);
  return length;
}
[[gnu::always_inline]] inline int make(Address pc, char* buffer, Size room, const char* format, va_list arguments) {
  reads_for_format(pc, format, arguments);
  const int length = real_vsnprintf(buffer, room, format, arguments);
  writes_formatted(pc, buffer, room, length);
  return length;
}
[[gnu::always_inline]] inline int make_checked(Address pc, char* buffer, int flag, Size size, const char* format,
                                               va_list arguments) {
  reads_for_format(pc, format, arguments);
  const int length = real_vsprintf_chk(buffer, flag, size, format, arguments);
  writes_formatted(pc, buffer, unlimited, length);
  return length;
}
[[gnu::always_inline]] inline int make_checked(Address pc, char* buffer, Size room, int flag, Size size,
                                               const char* format, va_list arguments) {
  reads_for_format(pc, format, arguments);
  const int length = real_vsnprintf_chk(buffer, room, flag, size, format, arguments);
  writes_formatted(pc, buffer, room, length);
  return length;
}

/// Where the call succeeded it wrote the pointer and the memory that it allocated.
int allocated(Address pc, char** text, int length) {
  if (access::ThreadState* const thread = checked(pc); thread != nullptr && length >= 0) {
    writes(*thread, text, sizeof *text, pc);
    writes(*thread, *text, static_cast<Size>(length) + 1, pc);
  }
  return length;
}
[[gnu::always_inline]] inline int allocate(Address pc, char** text, const char* format, va_list arguments) {
  reads_for_format(pc, format, arguments);
  return allocated(pc, text, real_vasprintf(text, format, arguments));
}
[[gnu::always_inline]] inline int allocate_checked(Address pc, char** text, int flag, const char* format,
                                                   va_list arguments) {
  reads_for_format(pc, format, arguments);
  return allocated(pc, text, real_vasprintf_chk(text, flag, format, arguments));
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int vsprintf(char* buffer, const char* format, va_list arguments) noexcept {
  return make(caller(), buffer, format, arguments);
}
int vsnprintf(char* buffer, Size room, const char* format, va_list arguments) noexcept {
  return make(caller(), buffer, room, format, arguments);
}
int __vsprintf_chk(char* buffer, int flag, Size size, const char* format, va_list arguments) noexcept {
  return make_checked(caller(), buffer, flag, size, format, arguments);
}
int __vsnprintf_chk(char* buffer, Size room, int flag, Size size, const char* format, va_list arguments) noexcept {
  return make_checked(caller(), buffer, room, flag, size, format, arguments);
}
int vasprintf(char** text, const char* format, va_list arguments) noexcept {
  return allocate(caller(), text, format, arguments);
}
int __vasprintf_chk(char** text, int flag, const char* format, va_list arguments) noexcept {
  return allocate_checked(caller(), text, flag, format, arguments);
}

int sprintf(char* buffer, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int length = make(caller(), buffer, format, arguments);
  va_end(arguments);
  return length;
}
int snprintf(char* buffer, Size room, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int length = make(caller(), buffer, room, format, arguments);
  va_end(arguments);
  return length;
}
int __sprintf_chk(char* buffer, int flag, Size size, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int length = make_checked(caller(), buffer, flag, size, format, arguments);
  va_end(arguments);
  return length;
}
int __snprintf_chk(char* buffer, Size room, int flag, Size size, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int length = make_checked(caller(), buffer, room, flag, size, format, arguments);
  va_end(arguments);
  return length;
}
int asprintf(char** text, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int length = allocate(caller(), text, format, arguments);
  va_end(arguments);
  return length;
}
int __asprintf_chk(char** text, int flag, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int length = allocate_checked(caller(), text, flag, format, arguments);
  va_end(arguments);
  return length;
}

} // extern "C"
#pragma GCC visibility pop
