// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The str* functions as accesses of the instrumented code that calls them: what they read up to the end that they find,
// and what they write.

#include "lib/interpose/libc.hpp"
#include "lib/interpose/observe.hpp"

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using Size = std::size_t;

constinit Real<Size(const char*, Size)> real_strnlen{"strnlen"};
constinit Real<char*(char*, const char*)> real_strcpy{"strcpy"}, real_strcat{"strcat"}, real_stpcpy{"stpcpy"};
constinit Real<char*(char*, const char*, Size)> real_strncpy{"strncpy"}, real_strncat{"strncat"};
constinit Real<int(const char*, const char*)> real_strcmp{"strcmp"}, real_strcasecmp{"strcasecmp"};
constinit Real<int(const char*, const char*, Size)> real_strncmp{"strncmp"}, real_strncasecmp{"strncasecmp"};
constinit Real<char*(const char*, int)> real_strchr{"strchr"}, real_strrchr{"strrchr"};
constinit Real<char*(const char*, const char*)> real_strstr{"strstr"};
constinit Real<char*(const char*)> real_strdup{"strdup"};
constinit Real<char*(const char*, Size)> real_strndup{"strndup"};
constinit Real<char*(char*, const char*, Size)> real_strcpy_chk{"__strcpy_chk"}, real_strcat_chk{"__strcat_chk"};
constinit Real<char*(char*, const char*, Size, Size)> real_strncpy_chk{"__strncpy_chk"},
    real_strncat_chk{"__strncat_chk"};

/// Bytes of the string with its final zero, or `most`.
Size extent(const char* text, Size most = ~Size{0}) {
  const Size length = most == ~Size{0} ? libc::strlen(text) : real_strnlen(text, most);
  return length < most ? length + 1 : most;
}

/// Bytes that a comparison looks at: up to the first difference or end.
Size compared(const char* a, const char* b, Size most = ~Size{0}) {
  for (Size i = 0; i < most; ++i)
    if (a[i] != b[i] || a[i] == '\0') return i + 1;
  return most;
}
Size compared_without_case(const char* a, const char* b, Size most = ~Size{0}) {
  const Size all_a = extent(a, most), all_b = extent(b, most);
  return all_a < all_b ? all_a : all_b;
}

/// Copies at most `most` characters and a zero to where `target` ends (append) or begins.
[[gnu::noinline, gnu::cold]] void copies(access::ThreadState& thread, char* target, const char* source, Size most,
                                         bool append, Address pc) {
  const Size read = extent(source, most);
  const Size before = append ? libc::strlen(target) : 0;
  reads(thread, source, read, pc);
  if (append) reads(thread, target, before + 1, pc);
  const bool whole = most == ~Size{0} || source[read - (read != 0)] == '\0';
  writes(thread, target + before, append && !whole ? read + 1 : read, pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

// C++ declares two functions of each of these names.
char* find_first(const char* text, int character) asm("strchr");
char* find_last(const char* text, int character) asm("strrchr");
char* find_part(const char* text, const char* part) asm("strstr");

Size strlen(const char* text) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    reads(*thread, text, extent(text), pc);
  return libc::strlen(text);
}
Size strnlen(const char* text, Size most) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    reads(*thread, text, extent(text, most), pc);
  return real_strnlen(text, most);
}

char* strcpy(char* target, const char* source) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    copies(*thread, target, source, ~Size{0}, false, pc);
  return real_strcpy(target, source);
}
char* stpcpy(char* target, const char* source) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    copies(*thread, target, source, ~Size{0}, false, pc);
  return real_stpcpy(target, source);
}
char* strcat(char* target, const char* source) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    copies(*thread, target, source, ~Size{0}, true, pc);
  return real_strcat(target, source);
}
// Fills all of `size`.
char* strncpy(char* target, const char* source, Size size) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]] {
    reads(*thread, source, extent(source, size), pc);
    writes(*thread, target, size, pc);
  }
  return real_strncpy(target, source, size);
}
char* strncat(char* target, const char* source, Size most) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    copies(*thread, target, source, most, true, pc);
  return real_strncat(target, source, most);
}
char* __strcpy_chk(char* target, const char* source, Size room) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    copies(*thread, target, source, ~Size{0}, false, pc);
  return real_strcpy_chk(target, source, room);
}
char* __strcat_chk(char* target, const char* source, Size room) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    copies(*thread, target, source, ~Size{0}, true, pc);
  return real_strcat_chk(target, source, room);
}
char* __strncpy_chk(char* target, const char* source, Size size, Size room) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]] {
    reads(*thread, source, extent(source, size), pc);
    writes(*thread, target, size, pc);
  }
  return real_strncpy_chk(target, source, size, room);
}
char* __strncat_chk(char* target, const char* source, Size most, Size room) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    copies(*thread, target, source, most, true, pc);
  return real_strncat_chk(target, source, most, room);
}

int strcmp(const char* a, const char* b) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]] {
    const Size size = compared(a, b);
    reads(*thread, a, size, pc);
    reads(*thread, b, size, pc);
  }
  return real_strcmp(a, b);
}
int strncmp(const char* a, const char* b, Size most) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]] {
    const Size size = compared(a, b, most);
    reads(*thread, a, size, pc);
    reads(*thread, b, size, pc);
  }
  return real_strncmp(a, b, most);
}
int strcasecmp(const char* a, const char* b) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]] {
    const Size size = compared_without_case(a, b);
    reads(*thread, a, size, pc);
    reads(*thread, b, size, pc);
  }
  return real_strcasecmp(a, b);
}
int strncasecmp(const char* a, const char* b, Size most) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]] {
    const Size size = compared_without_case(a, b, most);
    reads(*thread, a, size, pc);
    reads(*thread, b, size, pc);
  }
  return real_strncasecmp(a, b, most);
}

char* find_first(const char* text, int character) {
  const Address pc = caller();
  access::ThreadState* const thread = checked(pc);
  if (thread == nullptr) [[likely]]
    return real_strchr(text, character);
  char* const found = real_strchr(text, character);
  reads(*thread, text, found == nullptr ? extent(text) : static_cast<Size>(found - text) + 1, pc);
  return found;
}
char* find_last(const char* text, int character) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    reads(*thread, text, extent(text), pc);
  return real_strrchr(text, character);
}
char* find_part(const char* text, const char* part) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]] {
    reads(*thread, part, extent(part), pc);
    reads(*thread, text, extent(text), pc);
  }
  return real_strstr(text, part);
}

char* strdup(const char* text) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    reads(*thread, text, extent(text), pc);
  return real_strdup(text);
}
char* strndup(const char* text, Size most) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    reads(*thread, text, extent(text, most), pc);
  return real_strndup(text, most);
}

} // extern "C"
#pragma GCC visibility pop
