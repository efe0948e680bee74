// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The str* functions as accesses of the instrumented code that calls them: what they read up to the end that they find,
// and what they write.

#include "lib/interpose/text/text_accesses.hpp"

#include <cctype>

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::texts;

namespace {

constinit Real<char*(char*, const char*) noexcept> real_strcpy{"strcpy"}, real_strcat{"strcat"}, real_stpcpy{"stpcpy"};
constinit Real<char*(char*, const char*, Size) noexcept> real_strncpy{"strncpy"}, real_strncat{"strncat"};
constinit Real<int(const char*, const char*) noexcept> real_strcmp{"strcmp"}, real_strcasecmp{"strcasecmp"},
    real_strverscmp{"strverscmp"};
constinit Real<int(const char*, const char*, Size) noexcept> real_strncmp{"strncmp"}, real_strncasecmp{"strncasecmp"};
constinit Real<char*(const char*, int) noexcept> real_strchr{"strchr"}, real_strrchr{"strrchr"};
constinit Real<char*(const char*, const char*) noexcept> real_strstr{"strstr"};
constinit Real<char*(const char*) noexcept> real_strdup{"strdup"};
constinit Real<char*(const char*, Size) noexcept> real_strndup{"strndup"};
constinit Real<char*(char*, const char*, Size) noexcept> real_strcpy_chk{"__strcpy_chk"},
    real_strcat_chk{"__strcat_chk"};
constinit Real<char*(char*, const char*, Size, Size) noexcept> real_strncpy_chk{"__strncpy_chk"},
    real_strncat_chk{"__strncat_chk"};

Size compared_without_case(const char* a, const char* b, Size most) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  for (Size i = 0; i < most; ++i)
    if (a[i] == 0 || lower(a[i]) != lower(b[i])) return i + 1;
  return most;
}

// What each function accesses, beside what there is for wide characters, too.
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
void searches_all(Thread& thread, Address pc, const char* text, int) { measures(thread, pc, text); }

} // namespace

#pragma GCC visibility push(default)
extern "C" {

// C++ declares two functions of each of these names.
char* find_first(const char* text, int character) noexcept asm("strchr");
char* find_last(const char* text, int character) noexcept asm("strrchr");
char* find_part(const char* text, const char* part) noexcept asm("strstr");

Size strlen(const char* text) noexcept { return with_accesses<measures<char>, libc::strlen>(caller(), text); }
Size strnlen(const char* text, Size most) noexcept {
  return with_accesses<measures_some<char>, libc::strnlen>(caller(), text, most);
}

char* strcpy(char* target, const char* source) noexcept {
  return with_accesses<copies<char>, real_strcpy>(caller(), target, source);
}
char* stpcpy(char* target, const char* source) noexcept {
  return with_accesses<copies<char>, real_stpcpy>(caller(), target, source);
}
char* strcat(char* target, const char* source) noexcept {
  return with_accesses<appends<char>, real_strcat>(caller(), target, source);
}
char* strncpy(char* target, const char* source, Size size) noexcept {
  return with_accesses<copies_some<char>, real_strncpy>(caller(), target, source, size);
}
char* strncat(char* target, const char* source, Size most) noexcept {
  return with_accesses<appends_some<char>, real_strncat>(caller(), target, source, most);
}
char* __strcpy_chk(char* target, const char* source, Size room) noexcept {
  return with_accesses<copies_checked<char>, real_strcpy_chk>(caller(), target, source, room);
}
char* __strcat_chk(char* target, const char* source, Size room) noexcept {
  return with_accesses<appends_checked<char>, real_strcat_chk>(caller(), target, source, room);
}
char* __strncpy_chk(char* target, const char* source, Size size, Size room) noexcept {
  return with_accesses<copies_some_checked<char>, real_strncpy_chk>(caller(), target, source, size, room);
}
char* __strncat_chk(char* target, const char* source, Size most, Size room) noexcept {
  return with_accesses<appends_some_checked<char>, real_strncat_chk>(caller(), target, source, most, room);
}

int strcmp(const char* a, const char* b) noexcept { return with_accesses<compares<char>, real_strcmp>(caller(), a, b); }
int strverscmp(const char* a, const char* b) noexcept {
  return with_accesses<compares<char>, real_strverscmp>(caller(), a, b);
}
int strncmp(const char* a, const char* b, Size most) noexcept {
  return with_accesses<compares_some<char>, real_strncmp>(caller(), a, b, most);
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
  return with_accesses<measures_both<char>, real_strstr>(caller(), text, part);
}

char* strdup(const char* text) noexcept { return with_accesses<measures<char>, real_strdup>(caller(), text); }
char* strndup(const char* text, Size most) noexcept {
  return with_accesses<measures_some<char>, real_strndup>(caller(), text, most);
}

} // extern "C"
#pragma GCC visibility pop
