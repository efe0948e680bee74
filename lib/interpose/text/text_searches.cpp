// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that look for characters, texts and bytes, and some that copy until they find one, as accesses of the
// instrumented code that calls them: what they read is known from what they found.

#include "lib/interpose/text/text_accesses.hpp"

#include <algorithm>

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::texts;

namespace {

constinit Real<Size(const char*, const char*) noexcept> real_strspn{"strspn"}, real_strcspn{"strcspn"};
constinit Real<char*(const char*, const char*) noexcept> real_strpbrk{"strpbrk"}, real_strcasestr{"strcasestr"};
constinit Real<char*(const char*, int) noexcept> real_strchrnul{"strchrnul"};
constinit Real<int(const char*, const char*) noexcept> real_strcoll{"strcoll"};
constinit Real<Size(char*, const char*, Size) noexcept> real_strxfrm{"strxfrm"};
constinit Real<char*(char*, const char*, Size) noexcept> real_stpncpy{"stpncpy"}, real_stpcpy_chk{"__stpcpy_chk"};
constinit Real<char*(char*, const char*, Size, Size) noexcept> real_stpncpy_chk{"__stpncpy_chk"};
constinit Real<void*(const void*, Size, const void*, Size) noexcept> real_memmem{"memmem"};
constinit Real<void*(const void*, int, Size) noexcept> real_memrchr{"memrchr"};
constinit Real<void*(const void*, int) noexcept> real_rawmemchr{"rawmemchr"};
constinit Real<void*(void*, const void*, int, Size) noexcept> real_memccpy{"memccpy"};

Size distance(const void* from, const void* to) {
  return static_cast<Size>(static_cast<const char*>(to) - static_cast<const char*>(from));
}

// What each function accesses, by its result.
void spans(Thread& thread, Address pc, Size length, const char* text, const char* set) {
  measures(thread, pc, set);
  reads(thread, text, length + 1, pc);
}
void finds_one_of(Thread& thread, Address pc, const char* found, const char* text, const char* set) {
  measures(thread, pc, set);
  reads(thread, text, found != nullptr ? distance(text, found) + 1 : extent(text), pc);
}
void finds_character(Thread& thread, Address pc, const char* found, const char* text, int) {
  reads(thread, text, distance(text, found) + 1, pc);
}
void transforms(Thread& thread, Address pc, Size length, char* target, const char* source, Size room) {
  measures(thread, pc, source);
  writes(thread, target, std::min(length + 1, room), pc);
}
void finds_byte(Thread& thread, Address pc, const void* found, const void* memory, int) {
  reads(thread, memory, distance(memory, found) + 1, pc);
}
void finds_last_byte(Thread& thread, Address pc, const void* found, const void* memory, int, Size size) {
  const Size before = found != nullptr ? distance(memory, found) : 0;
  reads(thread, static_cast<const char*>(memory) + before, size - before, pc);
}
void finds_bytes(Thread& thread, Address pc, const void* found, const void* memory, Size size, const void* part,
                 Size part_size) {
  reads(thread, part, part_size, pc);
  reads(thread, memory, found != nullptr ? distance(memory, found) + part_size : size, pc);
}
/// The result is behind the byte at which it ended.
void copies_until(Thread& thread, Address pc, const void* after, void* target, const void* source, int, Size size) {
  const Size copied = after != nullptr ? distance(target, after) : size;
  reads(thread, source, copied, pc);
  writes(thread, target, copied, pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

// C++ declares two functions of each of these names.
char* find_one_of(const char* text, const char* set) noexcept asm("strpbrk");
char* find_without_case(const char* text, const char* part) noexcept asm("strcasestr");
char* find_or_end(const char* text, int character) noexcept asm("strchrnul");
void* find_last_byte(const void* memory, int byte, Size size) noexcept asm("memrchr");
void* find_byte_somewhere(const void* memory, int byte) noexcept asm("rawmemchr");

Size strspn(const char* text, const char* set) noexcept {
  return with_results<spans, real_strspn>(caller(), text, set);
}
Size strcspn(const char* text, const char* set) noexcept {
  return with_results<spans, real_strcspn>(caller(), text, set);
}
char* find_one_of(const char* text, const char* set) noexcept {
  return with_results<finds_one_of, real_strpbrk>(caller(), text, set);
}
char* find_without_case(const char* text, const char* part) noexcept {
  return with_accesses<measures_both<char>, real_strcasestr>(caller(), text, part);
}
char* find_or_end(const char* text, int character) noexcept {
  return with_results<finds_character, real_strchrnul>(caller(), text, character);
}
int strcoll(const char* a, const char* b) noexcept {
  return with_accesses<measures_both<char>, real_strcoll>(caller(), a, b);
}
Size strxfrm(char* target, const char* source, Size room) noexcept {
  return with_results<transforms, real_strxfrm>(caller(), target, source, room);
}

char* stpncpy(char* target, const char* source, Size size) noexcept {
  return with_accesses<copies_some<char>, real_stpncpy>(caller(), target, source, size);
}
char* __stpcpy_chk(char* target, const char* source, Size room) noexcept {
  return with_accesses<copies_checked<char>, real_stpcpy_chk>(caller(), target, source, room);
}
char* __stpncpy_chk(char* target, const char* source, Size size, Size room) noexcept {
  return with_accesses<copies_some_checked<char>, real_stpncpy_chk>(caller(), target, source, size, room);
}

void* find_last_byte(const void* memory, int byte, Size size) noexcept {
  return with_results<finds_last_byte, real_memrchr>(caller(), memory, byte, size);
}
void* find_byte_somewhere(const void* memory, int byte) noexcept {
  return with_results<finds_byte, real_rawmemchr>(caller(), memory, byte);
}
void* memmem(const void* memory, Size size, const void* part, Size part_size) noexcept {
  return with_results<finds_bytes, real_memmem>(caller(), memory, size, part, part_size);
}
void* memccpy(void* target, const void* source, int byte, Size size) noexcept {
  return with_results<copies_until, real_memccpy>(caller(), target, source, byte, size);
}

} // extern "C"
#pragma GCC visibility pop
