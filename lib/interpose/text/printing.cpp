// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf and its relatives that print: the texts of the instrumented code that calls them. They may end the thread or
// throw (a stream of the program's own), so nothing here is noexcept.

#include "lib/interpose/real.hpp"
#include "lib/interpose/text/print_accesses.hpp"
#include "lib/tool/advice.hpp"

#include <cstdarg>
#include <cstdio>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int(const char*, va_list)> real_vprintf{"vprintf"};
constinit Real<int(FILE*, const char*, va_list)> real_vfprintf{"vfprintf"};
constinit Real<int(int, const char*, va_list)> real_vdprintf{"vdprintf"};
// The checked variants of _FORTIFY_SOURCE end the program where a format in writable memory has a %n.
constinit Real<int(int, const char*, va_list)> real_vprintf_chk{"__vprintf_chk"};
constinit Real<int(FILE*, int, const char*, va_list)> real_vfprintf_chk{"__vfprintf_chk"};
constinit Real<int(int, int, const char*, va_list)> real_vdprintf_chk{"__vdprintf_chk"};

/// The same of what goes to a stream, which advice takes for something that threads share.
void prints_for_format(Address pc, const char* format, va_list arguments) {
  if (access::ThreadState* const thread = checked(pc)) tool::advice::uses_stream(*thread, pc);
  reads_for_format(pc, format, arguments);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

// Headers may have an inline definition of it.
int print(const char* format, va_list arguments) asm("vprintf");

int print(const char* format, va_list arguments) {
  prints_for_format(caller(), format, arguments);
  return real_vprintf(format, arguments);
}
int vfprintf(FILE* file, const char* format, va_list arguments) {
  prints_for_format(caller(), format, arguments);
  return real_vfprintf(file, format, arguments);
}
int vdprintf(int file, const char* format, va_list arguments) {
  reads_for_format(caller(), format, arguments);
  return real_vdprintf(file, format, arguments);
}
int __vprintf_chk(int flag, const char* format, va_list arguments) {
  prints_for_format(caller(), format, arguments);
  return real_vprintf_chk(flag, format, arguments);
}
int __vfprintf_chk(FILE* file, int flag, const char* format, va_list arguments) {
  prints_for_format(caller(), format, arguments);
  return real_vfprintf_chk(file, flag, format, arguments);
}
int __vdprintf_chk(int file, int flag, const char* format, va_list arguments) {
  reads_for_format(caller(), format, arguments);
  return real_vdprintf_chk(file, flag, format, arguments);
}

int printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  prints_for_format(caller(), format, arguments);
  const int length = real_vprintf(format, arguments);
  va_end(arguments);
  return length;
}
int fprintf(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  prints_for_format(caller(), format, arguments);
  const int length = real_vfprintf(file, format, arguments);
  va_end(arguments);
  return length;
}
int dprintf(int file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  reads_for_format(caller(), format, arguments);
  const int length = real_vdprintf(file, format, arguments);
  va_end(arguments);
  return length;
}
int __printf_chk(int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  prints_for_format(caller(), format, arguments);
  const int length = real_vprintf_chk(flag, format, arguments);
  va_end(arguments);
  return length;
}
int __fprintf_chk(FILE* file, int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  prints_for_format(caller(), format, arguments);
  const int length = real_vfprintf_chk(file, flag, format, arguments);
  va_end(arguments);
  return length;
}
int __dprintf_chk(int file, int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  reads_for_format(caller(), format, arguments);
  const int length = real_vdprintf_chk(file, flag, format, arguments);
  va_end(arguments);
  return length;
}

} // extern "C"
#pragma GCC visibility pop
