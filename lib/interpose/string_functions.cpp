// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The str* functions as accesses of the instrumented code that calls them: what they read up to the end that they find,
// and what they write.

#include "lib/interpose/libc.hpp"
#include "lib/interpose/observe.hpp"

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using Size = std::size_t;
using Thread = access::ThreadState;

constinit Real<Size(const char*, Size) noexcept> real_strnlen{"strnlen"};
constinit Real<char*(char*, const char*) noexcept> real_strcpy{"strcpy"}, real_strcat{"strcat"}, real_stpcpy{"stpcpy"};
constinit Real<char*(char*, const char*, Size) noexcept> real_strncpy{"strncpy"}, real_strncat{"strncat"};
constinit Real<int(const char*, const char*) noexcept> real_strcmp{"strcmp"}, real_strcasecmp{"strcasecmp"};
constinit Real<int(const char*, const char*, Size) noexcept> real_strncmp{"strncmp"}, real_strncasecmp{"strncasecmp"};
constinit Real<char*(const char*, int) noexcept> real_strchr{"strchr"}, real_strrchr{"strrchr"};
constinit Real<char*(const char*, const char*) noexcept> real_strstr{"strstr"};
constinit Real<char*(const char*) noexcept> real_strdup{"strdup"};
constinit Real<char*(const char*, Size) noexcept> real_strndup{"strndup"};
constinit Real<char*(char*, const char*, Size) noexcept> real_strcpy_chk{"__strcpy_chk"},
    real_strcat_chk{"__strcat_chk"};
constinit Real<char*(char*, const char*, Size, Size) noexcept> real_strncpy_chk{"__strncpy_chk"},
    real_strncat_chk{"__strncat_chk"};

constexpr Size unlimited = ~Size{0};

/// Bytes of the string with its final zero, or `most`.
Size extent(const char* text, Size most = unlimited) {
  const Size length = most == unlimited ? libc::strlen(text) : real_strnlen(text, most);
  return length < most ? length + 1 : most;
}

/// Bytes that a comparison looks at: up to the first difference or end.
Size compared(const char* a, const char* b, Size most) {
  for (Size i = 0; i < most; ++i)
    if (a[i] != b[i] || a[i] == '\0') return i + 1;
  return most;
}
Size compared_without_case(const char* a, const char* b, Size most) {
  const Size all_a = extent(a, most), all_b = extent(b, most);
  return all_a < all_b ? all_a : all_b;
}

// What each function accesses.
void measures(Thread& thread, Address pc, const char* text) { reads(thread, text, extent(text), pc); }
void measures_some(Thread& thread, Address pc, const char* text, Size most) {
  reads(thread, text, extent(text, most), pc);
}
void copies(Thread& thread, Address pc, char* target, const char* source) {
  const Size size = extent(source);
  reads(thread, source, size, pc);
  writes(thread, target, size, pc);
}
void copies_checked(Thread& thread, Address pc, char* target, const char* source, Size) {
  copies(thread, pc, target, source);
}
/// Fills all of `size`.
void copies_some(Thread& thread, Address pc, char* target, const char* source, Size size) {
  reads(thread, source, extent(source, size), pc);
  writes(thread, target, size, pc);
}
void copies_some_checked(Thread& thread, Address pc, char* target, const char* source, Size size, Size) {
  copies_some(thread, pc, target, source, size);
}
/// At most `most` characters, and a zero in any case.
void appends_some(Thread& thread, Address pc, char* target, const char* source, Size most) {
  const Size before = libc::strlen(target);
  const Size read = extent(source, most);
  const bool ended = read != 0 && source[read - 1] == '\0';
  reads(thread, source, read, pc);
  reads(thread, target, before + 1, pc);
  writes(thread, target + before, ended ? read : read + 1, pc);
}
void appends(Thread& thread, Address pc, char* target, const char* source) {
  appends_some(thread, pc, target, source, unlimited);
}
void appends_checked(Thread& thread, Address pc, char* target, const char* source, Size) {
  appends_some(thread, pc, target, source, unlimited);
}
void appends_some_checked(Thread& thread, Address pc, char* target, const char* source, Size most, Size) {
  appends_some(thread, pc, target, source, most);
}
void compares_some(Thread& thread, Address pc, const char* a, const char* b, Size most) {
  const Size size = compared(a, b, most);
  reads(thread, a, size, pc);
  reads(thread, b, size, pc);
}
void compares(Thread& thread, Address pc, const char* a, const char* b) { compares_some(thread, pc, a, b, unlimited); }
void compares_some_without_case(Thread& thread, Address pc, const char* a, const char* b, Size most) {
  const Size size = compared_without_case(a, b, most);
  reads(thread, a, size, pc);
  reads(thread, b, size, pc);
}
void compares_without_case(Thread& thread, Address pc, const char* a, const char* b) {
  compares_some_without_case(thread, pc, a, b, unlimited);
}
void searches(Thread& thread, Address pc, const char* text, int character) {
  const char* const found = real_strchr(text, character);
  reads(thread, text, found == nullptr ? extent(text) : static_cast<Size>(found - text) + 1, pc);
}
void searches_all(Thread& thread, Address pc, const char* text, int) { reads(thread, text, extent(text), pc); }
void searches_part(Thread& thread, Address pc, const char* text, const char* part) {
  reads(thread, part, extent(part), pc);
  reads(thread, text, extent(text), pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

// C++ declares two functions of each of these names.
char* find_first(const char* text, int character) noexcept asm("strchr");
char* find_last(const char* text, int character) noexcept asm("strrchr");
char* find_part(const char* text, const char* part) noexcept asm("strstr");

Size strlen(const char* text) noexcept { return with_accesses<measures, libc::strlen>(caller(), text); }
Size strnlen(const char* text, Size most) noexcept {
  return with_accesses<measures_some, real_strnlen>(caller(), text, most);
}

char* strcpy(char* target, const char* source) noexcept {
  return with_accesses<copies, real_strcpy>(caller(), target, source);
}
char* stpcpy(char* target, const char* source) noexcept {
  return with_accesses<copies, real_stpcpy>(caller(), target, source);
}
char* strcat(char* target, const char* source) noexcept {
  return with_accesses<appends, real_strcat>(caller(), target, source);
}
char* strncpy(char* target, const char* source, Size size) noexcept {
  return with_accesses<copies_some, real_strncpy>(caller(), target, source, size);
}
char* strncat(char* target, const char* source, Size most) noexcept {
  return with_accesses<appends_some, real_strncat>(caller(), target, source, most);
}
char* __strcpy_chk(char* target, const char* source, Size room) noexcept {
  return with_accesses<copies_checked, real_strcpy_chk>(caller(), target, source, room);
}
char* __strcat_chk(char* target, const char* source, Size room) noexcept {
  return with_accesses<appends_checked, real_strcat_chk>(caller(), target, source, room);
}
char* __strncpy_chk(char* target, const char* source, Size size, Size room) noexcept {
  return with_accesses<copies_some_checked, real_strncpy_chk>(caller(), target, source, size, room);
}
char* __strncat_chk(char* target, const char* source, Size most, Size room) noexcept {
  return with_accesses<appends_some_checked, real_strncat_chk>(caller(), target, source, most, room);
}

int strcmp(const char* a, const char* b) noexcept { return with_accesses<compares, real_strcmp>(caller(), a, b); }
int strncmp(const char* a, const char* b, Size most) noexcept {
  return with_accesses<compares_some, real_strncmp>(caller(), a, b, most);
}
int strcasecmp(const char* a, const char* b) noexcept {
  return with_accesses<compares_without_case, real_strcasecmp>(caller(), a, b);
}
int strncasecmp(const char* a, const char* b, Size most) noexcept {
  return with_accesses<compares_some_without_case, real_strncasecmp>(caller(), a, b, most);
}

char* find_first(const char* text, int character) noexcept {
  return with_accesses<searches, real_strchr>(caller(), text, character);
}
char* find_last(const char* text, int character) noexcept {
  return with_accesses<searches_all, real_strrchr>(caller(), text, character);
}
char* find_part(const char* text, const char* part) noexcept {
  return with_accesses<searches_part, real_strstr>(caller(), text, part);
}

char* strdup(const char* text) noexcept { return with_accesses<measures, real_strdup>(caller(), text); }
char* strndup(const char* text, Size most) noexcept {
  return with_accesses<measures_some, real_strndup>(caller(), text, most);
}

} // extern "C"
#pragma GCC visibility pop
