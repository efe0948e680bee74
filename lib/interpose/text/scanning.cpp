// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scanf and its relatives: what they write through the arguments of the instrumented code that calls them, and the
// texts that sscanf reads. Headers give each of them a name for C99's and one for C23's formats, beside GNU's.

#include "lib/interpose/text/scan_format.hpp"
#include "lib/interpose/text/text_accesses.hpp"

#include <cstdarg>
#include <cstdio>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using texts::Size;
using texts::Thread;

/// The functions of one meaning of formats.
struct Family {
  Real<int(const char*, va_list)> scan;
  Real<int(FILE*, const char*, va_list)> scan_file;
  Real<int(const char*, const char*, va_list) noexcept> scan_text;
  ScanDialect dialect;
};
constinit Family gnu{Real<int(const char*, va_list)>("vscanf"), Real<int(FILE*, const char*, va_list)>("vfscanf"),
                     Real<int(const char*, const char*, va_list) noexcept>("vsscanf"), ScanDialect::gnu};
constinit Family c99{Real<int(const char*, va_list)>("__isoc99_vscanf"),
                     Real<int(FILE*, const char*, va_list)>("__isoc99_vfscanf"),
                     Real<int(const char*, const char*, va_list) noexcept>("__isoc99_vsscanf"), ScanDialect::c99};
#if __GLIBC_PREREQ(2, 38)
constinit Family c23{Real<int(const char*, va_list)>("__isoc23_vscanf"),
                     Real<int(FILE*, const char*, va_list)>("__isoc23_vfscanf"),
                     Real<int(const char*, const char*, va_list) noexcept>("__isoc23_vsscanf"), ScanDialect::c99};
#endif

template <class Char> void writes_text(Thread& thread, Address pc, const ScannedPointer& pointer) {
  const auto* const text = static_cast<const Char*>(pointer.address);
  const Size most = pointer.size == texts::unlimited ? pointer.size : pointer.size + 1;
  writes(thread, text, texts::extent(text, most) * sizeof(Char), pc);
}

[[gnu::noinline]] void scanned(Thread& thread, Address pc, const char* format, va_list arguments, int assigned,
                               ScanDialect dialect) {
  const KeptErrno kept;
  const ScannedPointers pointers = scanned_pointers(format, arguments, assigned, dialect);
  for (const ScannedPointer& pointer : pointers.all()) switch (pointer.kind) {
    case ScannedPointer::Kind::value:
      writes(thread, pointer.address, pointer.size, pc);
      break;
    case ScannedPointer::Kind::text:
      writes_text<char>(thread, pc, pointer);
      break;
    case ScannedPointer::Kind::wide_text:
      writes_text<wchar_t>(thread, pc, pointer);
      break;
    }
}

/// The call of `function`, which uses the arguments up, and what came of it.
template <class Function, class Source>
[[gnu::noinline]] int checked_scan(Thread& thread, Address pc, Function& function, Source source, const char* format,
                                   va_list arguments, ScanDialect dialect) {
  va_list again;
  va_copy(again, arguments);
  const int assigned = function(source, format, arguments);
  scanned(thread, pc, format, again, assigned, dialect);
  va_end(again);
  return assigned;
}

[[gnu::always_inline]] inline int scan(Address pc, Family& family, const char* format, va_list arguments) {
  Thread* const thread = checked(pc);
  if (thread == nullptr) [[likely]]
    return family.scan(format, arguments);
  const auto function = [&family](std::nullptr_t, const char* of, va_list with) { return family.scan(of, with); };
  return checked_scan(*thread, pc, function, nullptr, format, arguments, family.dialect);
}
[[gnu::always_inline]] inline int scan(Address pc, Family& family, FILE* file, const char* format, va_list arguments) {
  Thread* const thread = checked(pc);
  if (thread == nullptr) [[likely]]
    return family.scan_file(file, format, arguments);
  return checked_scan(*thread, pc, family.scan_file, file, format, arguments, family.dialect);
}
[[gnu::always_inline]] inline int scan(Address pc, Family& family, const char* text, const char* format,
                                       va_list arguments) {
  Thread* const thread = checked(pc);
  if (thread == nullptr) [[likely]]
    return family.scan_text(text, format, arguments);
  texts::measures(*thread, pc, text); // libc looks for its end first
  return checked_scan(*thread, pc, family.scan_text, text, format, arguments, family.dialect);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

// Headers redirect calls and definitions alike by the language of who includes them.

int gnu_vscanf(const char* format, va_list arguments) asm("vscanf");
int gnu_vfscanf(FILE* file, const char* format, va_list arguments) asm("vfscanf");
int gnu_vsscanf(const char* text, const char* format, va_list arguments) noexcept asm("vsscanf");
int gnu_scanf(const char* format, ...) asm("scanf");
int gnu_fscanf(FILE* file, const char* format, ...) asm("fscanf");
int gnu_sscanf(const char* text, const char* format, ...) noexcept asm("sscanf");

int gnu_vscanf(const char* format, va_list arguments) { return scan(caller(), gnu, format, arguments); }
int gnu_vfscanf(FILE* file, const char* format, va_list arguments) {
  return scan(caller(), gnu, file, format, arguments);
}
int gnu_vsscanf(const char* text, const char* format, va_list arguments) noexcept {
  return scan(caller(), gnu, text, format, arguments);
}
int gnu_scanf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = scan(caller(), gnu, format, arguments);
  va_end(arguments);
  return assigned;
}
int gnu_fscanf(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = scan(caller(), gnu, file, format, arguments);
  va_end(arguments);
  return assigned;
}
int gnu_sscanf(const char* text, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = scan(caller(), gnu, text, format, arguments);
  va_end(arguments);
  return assigned;
}

int c99_vscanf(const char* format, va_list arguments) asm("__isoc99_vscanf");
int c99_vfscanf(FILE* file, const char* format, va_list arguments) asm("__isoc99_vfscanf");
int c99_vsscanf(const char* text, const char* format, va_list arguments) noexcept asm("__isoc99_vsscanf");
int c99_scanf(const char* format, ...) asm("__isoc99_scanf");
int c99_fscanf(FILE* file, const char* format, ...) asm("__isoc99_fscanf");
int c99_sscanf(const char* text, const char* format, ...) noexcept asm("__isoc99_sscanf");

int c99_vscanf(const char* format, va_list arguments) { return scan(caller(), c99, format, arguments); }
int c99_vfscanf(FILE* file, const char* format, va_list arguments) {
  return scan(caller(), c99, file, format, arguments);
}
int c99_vsscanf(const char* text, const char* format, va_list arguments) noexcept {
  return scan(caller(), c99, text, format, arguments);
}
int c99_scanf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = scan(caller(), c99, format, arguments);
  va_end(arguments);
  return assigned;
}
int c99_fscanf(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = scan(caller(), c99, file, format, arguments);
  va_end(arguments);
  return assigned;
}
int c99_sscanf(const char* text, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = scan(caller(), c99, text, format, arguments);
  va_end(arguments);
  return assigned;
}

#if __GLIBC_PREREQ(2, 38)
int c23_vscanf(const char* format, va_list arguments) asm("__isoc23_vscanf");
int c23_vfscanf(FILE* file, const char* format, va_list arguments) asm("__isoc23_vfscanf");
int c23_vsscanf(const char* text, const char* format, va_list arguments) noexcept asm("__isoc23_vsscanf");
int c23_scanf(const char* format, ...) asm("__isoc23_scanf");
int c23_fscanf(FILE* file, const char* format, ...) asm("__isoc23_fscanf");
int c23_sscanf(const char* text, const char* format, ...) noexcept asm("__isoc23_sscanf");

int c23_vscanf(const char* format, va_list arguments) { return scan(caller(), c23, format, arguments); }
int c23_vfscanf(FILE* file, const char* format, va_list arguments) {
  return scan(caller(), c23, file, format, arguments);
}
int c23_vsscanf(const char* text, const char* format, va_list arguments) noexcept {
  return scan(caller(), c23, text, format, arguments);
}
int c23_scanf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = scan(caller(), c23, format, arguments);
  va_end(arguments);
  return assigned;
}
int c23_fscanf(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = scan(caller(), c23, file, format, arguments);
  va_end(arguments);
  return assigned;
}
int c23_sscanf(const char* text, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = scan(caller(), c23, text, format, arguments);
  va_end(arguments);
  return assigned;
}
#endif

} // extern "C"
#pragma GCC visibility pop
