// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole lines and texts to and from streams: puts, fputs, fgets, getline and their like, as accesses of the
// instrumented code that calls them. Streams may be the program's own, so nothing here is noexcept.

#include "lib/interpose/text/text_accesses.hpp"
#include "lib/tool/advice.hpp"

#include <cstdio>
#include <cwchar>

#include <sys/types.h>

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::texts;

namespace {

constinit Real<int(const char*)> real_puts{"puts"};
constinit Real<void(const char*)> real_perror{"perror"};
constinit Real<int(const char*, FILE*)> real_fputs{"fputs"}, real_fputs_unlocked{"fputs_unlocked"};
constinit Real<int(const wchar_t*, FILE*)> real_fputws{"fputws"}, real_fputws_unlocked{"fputws_unlocked"};
constinit Real<char*(char*, int, FILE*)> real_fgets{"fgets"}, real_fgets_unlocked{"fgets_unlocked"};
constinit Real<char*(char*, Size, int, FILE*)> real_fgets_chk{"__fgets_chk"},
    real_fgets_unlocked_chk{"__fgets_unlocked_chk"};
constinit Real<wchar_t*(wchar_t*, int, FILE*)> real_fgetws{"fgetws"};
constinit Real<wchar_t*(wchar_t*, Size, int, FILE*)> real_fgetws_chk{"__fgetws_chk"};
constinit Real<ssize_t(char**, Size*, int, FILE*)> real_getdelim{"getdelim"};

// What each function accesses.
void prints(Thread& thread, Address pc, const char* text) {
  tool::advice::uses_stream(thread, pc);
  measures(thread, pc, text);
}
void complains(Thread& thread, Address pc, const char* text) {
  const KeptErrno kept; // what it prints
  tool::advice::uses_stream(thread, pc);
  if (text != nullptr) measures(thread, pc, text);
}
template <class Char> void prints_to(Thread& thread, Address pc, const Char* text, FILE*) {
  tool::advice::uses_stream(thread, pc);
  measures(thread, pc, text);
}
template <class Char> void gets(Thread& thread, Address pc, const Char* line, Char*, int, FILE*) {
  if (line != nullptr) writes(thread, line, extent(line) * sizeof(Char), pc);
}
template <class Char>
void gets_checked(Thread& thread, Address pc, const Char* line, Char* buffer, Size, int room, FILE* file) {
  gets(thread, pc, line, buffer, room, file);
}

/// Reads the buffer's place and size, and writes them where it had to be allocated or made larger.
ssize_t get_part(Address pc, char** buffer, Size* room, int end, FILE* file) {
  Thread* const thread = checked(pc);
  if (thread == nullptr || buffer == nullptr || room == nullptr) return real_getdelim(buffer, room, end, file);
  const char* const buffer_before = *buffer;
  const Size room_before = *room;
  reads(*thread, buffer, sizeof *buffer, pc);
  reads(*thread, room, sizeof *room, pc);
  const ssize_t length = real_getdelim(buffer, room, end, file);
  const KeptErrno kept;
  if (*buffer != buffer_before) writes(*thread, buffer, sizeof *buffer, pc);
  if (*room != room_before) writes(*thread, room, sizeof *room, pc);
  if (length >= 0) writes(*thread, *buffer, static_cast<Size>(length) + 1, pc);
  return length;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

// Headers may have inline definitions of the other names.
ssize_t get_line(char** buffer, Size* room, FILE* file) asm("getline");
ssize_t get_until(char** buffer, Size* room, int end, FILE* file) asm("getdelim");
ssize_t get_until_too(char** buffer, Size* room, int end, FILE* file) asm("__getdelim");

int puts(const char* text) { return with_accesses<prints, real_puts>(caller(), text); }
void perror(const char* text) { with_accesses<complains, real_perror>(caller(), text); }
int fputs(const char* text, FILE* file) { return with_accesses<prints_to<char>, real_fputs>(caller(), text, file); }
int fputs_unlocked(const char* text, FILE* file) {
  return with_accesses<prints_to<char>, real_fputs_unlocked>(caller(), text, file);
}
int fputws(const wchar_t* text, FILE* file) {
  return with_accesses<prints_to<wchar_t>, real_fputws>(caller(), text, file);
}
int fputws_unlocked(const wchar_t* text, FILE* file) {
  return with_accesses<prints_to<wchar_t>, real_fputws_unlocked>(caller(), text, file);
}

char* fgets(char* buffer, int room, FILE* file) {
  return with_results<gets<char>, real_fgets>(caller(), buffer, room, file);
}
char* fgets_unlocked(char* buffer, int room, FILE* file) {
  return with_results<gets<char>, real_fgets_unlocked>(caller(), buffer, room, file);
}
char* __fgets_chk(char* buffer, Size size, int room, FILE* file) {
  return with_results<gets_checked<char>, real_fgets_chk>(caller(), buffer, size, room, file);
}
char* __fgets_unlocked_chk(char* buffer, Size size, int room, FILE* file) {
  return with_results<gets_checked<char>, real_fgets_unlocked_chk>(caller(), buffer, size, room, file);
}
wchar_t* fgetws(wchar_t* buffer, int room, FILE* file) {
  return with_results<gets<wchar_t>, real_fgetws>(caller(), buffer, room, file);
}
wchar_t* __fgetws_chk(wchar_t* buffer, Size size, int room, FILE* file) {
  return with_results<gets_checked<wchar_t>, real_fgetws_chk>(caller(), buffer, size, room, file);
}

ssize_t get_line(char** buffer, Size* room, FILE* file) { return get_part(caller(), buffer, room, '\n', file); }
ssize_t get_until(char** buffer, Size* room, int end, FILE* file) {
  return get_part(caller(), buffer, room, end, file);
}
ssize_t get_until_too(char** buffer, Size* room, int end, FILE* file) {
  return get_part(caller(), buffer, room, end, file);
}

} // extern "C"
#pragma GCC visibility pop
