// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wcs* and wmem* functions as accesses of the instrumented code that calls them, and what changes between narrow
// and wide characters.

#include "lib/interpose/text/text_accesses.hpp"

#include <algorithm>
#include <cstdlib>
#include <cwchar>

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::texts;

namespace {

using W = wchar_t;

constinit Real<W*(W*, const W*) noexcept> real_wcscpy{"wcscpy"}, real_wcscat{"wcscat"}, real_wcpcpy{"wcpcpy"};
constinit Real<W*(W*, const W*, Size) noexcept> real_wcsncpy{"wcsncpy"}, real_wcsncat{"wcsncat"},
    real_wcpncpy{"wcpncpy"}, real_wmemcpy{"wmemcpy"}, real_wmemmove{"wmemmove"}, real_wmempcpy{"wmempcpy"};
constinit Real<int(const W*, const W*) noexcept> real_wcscmp{"wcscmp"}, real_wcscoll{"wcscoll"};
constinit Real<int(const W*, const W*, Size) noexcept> real_wcsncmp{"wcsncmp"}, real_wmemcmp{"wmemcmp"};
constinit Real<W*(const W*, W) noexcept> real_wcschr{"wcschr"}, real_wcsrchr{"wcsrchr"};
constinit Real<W*(const W*, const W*) noexcept> real_wcsstr{"wcsstr"};
constinit Real<W*(const W*) noexcept> real_wcsdup{"wcsdup"};
constinit Real<W*(W*, W, Size) noexcept> real_wmemset{"wmemset"};
constinit Real<W*(const W*, W, Size) noexcept> real_wmemchr{"wmemchr"};
constinit Real<W*(W*, const W*, Size) noexcept> real_wcscpy_chk{"__wcscpy_chk"}, real_wcscat_chk{"__wcscat_chk"},
    real_wcpcpy_chk{"__wcpcpy_chk"};
constinit Real<W*(W*, const W*, Size, Size) noexcept> real_wcsncpy_chk{"__wcsncpy_chk"},
    real_wcsncat_chk{"__wcsncat_chk"}, real_wmemcpy_chk{"__wmemcpy_chk"}, real_wmemmove_chk{"__wmemmove_chk"},
    real_wcpncpy_chk{"__wcpncpy_chk"}, real_wmempcpy_chk{"__wmempcpy_chk"};
constinit Real<W*(W*, W, Size, Size) noexcept> real_wmemset_chk{"__wmemset_chk"};
constinit Real<Size(W*, const char*, Size) noexcept> real_mbstowcs{"mbstowcs"};
constinit Real<Size(char*, const W*, Size) noexcept> real_wcstombs{"wcstombs"};
constinit Real<Size(W*, const char*, Size, Size) noexcept> real_mbstowcs_chk{"__mbstowcs_chk"};
constinit Real<Size(char*, const W*, Size, Size) noexcept> real_wcstombs_chk{"__wcstombs_chk"};

// What each function accesses, beside what there is for narrow characters, too.
void moves(Thread& thread, Address pc, W* target, const W* source, Size count) {
  reads_characters(thread, pc, source, count);
  writes_characters(thread, pc, target, count);
}
void moves_checked(Thread& thread, Address pc, W* target, const W* source, Size count, Size) {
  moves(thread, pc, target, source, count);
}
void fills(Thread& thread, Address pc, W* target, W, Size count) { writes_characters(thread, pc, target, count); }
void fills_checked(Thread& thread, Address pc, W* target, W, Size count, Size) {
  writes_characters(thread, pc, target, count);
}
void compares_all(Thread& thread, Address pc, const W* a, const W* b, Size count) {
  reads_characters(thread, pc, a, count);
  reads_characters(thread, pc, b, count);
}
void finds(Thread& thread, Address pc, const W* found, const W* text, W) {
  reads_characters(thread, pc, text, found == nullptr ? extent(text) : static_cast<Size>(found - text) + 1);
}
void finds_last(Thread& thread, Address pc, const W* text, W) { measures(thread, pc, text); }
void finds_in(Thread& thread, Address pc, const W* found, const W* text, W, Size count) {
  reads_characters(thread, pc, text, found == nullptr ? count : static_cast<Size>(found - text) + 1);
}

constexpr Size failed = ~Size{0};

/// Of a text that did not fit, at least one byte was read for each character.
void widens(Thread& thread, Address pc, Size count, W* target, const char* source, Size room) {
  if (count == failed) return;
  const bool all = target == nullptr || count < room;
  reads_characters(thread, pc, source, all ? extent(source) : count);
  if (target != nullptr) writes_characters(thread, pc, target, std::min(count + 1, room));
}
/// A character that needs more bytes than are left ends it, too.
void narrows(Thread& thread, Address pc, Size count, char* target, const W* source, Size room) {
  if (count == failed) return;
  const Size longest = MB_CUR_MAX;
  const bool all = target == nullptr || (count < room && room - count >= longest);
  reads_characters(thread, pc, source, all ? extent(source) : count / longest);
  if (target != nullptr) writes_characters(thread, pc, target, all ? count + 1 : count);
}
void widens_checked(Thread& thread, Address pc, Size count, W* target, const char* source, Size room, Size) {
  widens(thread, pc, count, target, source, room);
}
void narrows_checked(Thread& thread, Address pc, Size count, char* target, const W* source, Size room, Size) {
  narrows(thread, pc, count, target, source, room);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

// C++ declares two functions of each of these names.
W* find_wide(const W* text, W character) noexcept asm("wcschr");
W* find_last_wide(const W* text, W character) noexcept asm("wcsrchr");
W* find_wide_part(const W* text, const W* part) noexcept asm("wcsstr");
W* find_wide_in(const W* text, W character, Size count) noexcept asm("wmemchr");

Size wcslen(const W* text) noexcept { return with_accesses<measures<W>, libc::wcslen>(caller(), text); }
Size wcsnlen(const W* text, Size most) noexcept {
  return with_accesses<measures_some<W>, libc::wcsnlen>(caller(), text, most);
}
W* wcsdup(const W* text) noexcept { return with_accesses<measures<W>, real_wcsdup>(caller(), text); }

W* wcscpy(W* target, const W* source) noexcept {
  return with_accesses<copies<W>, real_wcscpy>(caller(), target, source);
}
W* wcpcpy(W* target, const W* source) noexcept {
  return with_accesses<copies<W>, real_wcpcpy>(caller(), target, source);
}
W* wcscat(W* target, const W* source) noexcept {
  return with_accesses<appends<W>, real_wcscat>(caller(), target, source);
}
W* wcsncpy(W* target, const W* source, Size size) noexcept {
  return with_accesses<copies_some<W>, real_wcsncpy>(caller(), target, source, size);
}
W* wcpncpy(W* target, const W* source, Size size) noexcept {
  return with_accesses<copies_some<W>, real_wcpncpy>(caller(), target, source, size);
}
W* wcsncat(W* target, const W* source, Size most) noexcept {
  return with_accesses<appends_some<W>, real_wcsncat>(caller(), target, source, most);
}
W* __wcscpy_chk(W* target, const W* source, Size room) noexcept {
  return with_accesses<copies_checked<W>, real_wcscpy_chk>(caller(), target, source, room);
}
W* __wcscat_chk(W* target, const W* source, Size room) noexcept {
  return with_accesses<appends_checked<W>, real_wcscat_chk>(caller(), target, source, room);
}
W* __wcpcpy_chk(W* target, const W* source, Size room) noexcept {
  return with_accesses<copies_checked<W>, real_wcpcpy_chk>(caller(), target, source, room);
}
W* __wcpncpy_chk(W* target, const W* source, Size size, Size room) noexcept {
  return with_accesses<copies_some_checked<W>, real_wcpncpy_chk>(caller(), target, source, size, room);
}
W* __wcsncpy_chk(W* target, const W* source, Size size, Size room) noexcept {
  return with_accesses<copies_some_checked<W>, real_wcsncpy_chk>(caller(), target, source, size, room);
}
W* __wcsncat_chk(W* target, const W* source, Size most, Size room) noexcept {
  return with_accesses<appends_some_checked<W>, real_wcsncat_chk>(caller(), target, source, most, room);
}

int wcscmp(const W* a, const W* b) noexcept { return with_accesses<compares<W>, real_wcscmp>(caller(), a, b); }
int wcsncmp(const W* a, const W* b, Size most) noexcept {
  return with_accesses<compares_some<W>, real_wcsncmp>(caller(), a, b, most);
}
int wcscoll(const W* a, const W* b) noexcept { return with_accesses<measures_both<W>, real_wcscoll>(caller(), a, b); }

W* find_wide(const W* text, W character) noexcept {
  return with_results<finds, real_wcschr>(caller(), text, character);
}
W* find_last_wide(const W* text, W character) noexcept {
  return with_accesses<finds_last, real_wcsrchr>(caller(), text, character);
}
W* find_wide_part(const W* text, const W* part) noexcept {
  return with_accesses<measures_both<W>, real_wcsstr>(caller(), text, part);
}

W* wmemcpy(W* target, const W* source, Size count) noexcept {
  return with_accesses<moves, real_wmemcpy>(caller(), target, source, count);
}
W* wmempcpy(W* target, const W* source, Size count) noexcept {
  return with_accesses<moves, real_wmempcpy>(caller(), target, source, count);
}
W* wmemmove(W* target, const W* source, Size count) noexcept {
  return with_accesses<moves, real_wmemmove>(caller(), target, source, count);
}
W* wmemset(W* target, W character, Size count) noexcept {
  return with_accesses<fills, real_wmemset>(caller(), target, character, count);
}
int wmemcmp(const W* a, const W* b, Size count) noexcept {
  return with_accesses<compares_all, real_wmemcmp>(caller(), a, b, count);
}
W* find_wide_in(const W* text, W character, Size count) noexcept {
  return with_results<finds_in, real_wmemchr>(caller(), text, character, count);
}
W* __wmemcpy_chk(W* target, const W* source, Size count, Size room) noexcept {
  return with_accesses<moves_checked, real_wmemcpy_chk>(caller(), target, source, count, room);
}
W* __wmempcpy_chk(W* target, const W* source, Size count, Size room) noexcept {
  return with_accesses<moves_checked, real_wmempcpy_chk>(caller(), target, source, count, room);
}
W* __wmemmove_chk(W* target, const W* source, Size count, Size room) noexcept {
  return with_accesses<moves_checked, real_wmemmove_chk>(caller(), target, source, count, room);
}
W* __wmemset_chk(W* target, W character, Size count, Size room) noexcept {
  return with_accesses<fills_checked, real_wmemset_chk>(caller(), target, character, count, room);
}

Size mbstowcs(W* target, const char* source, Size room) noexcept {
  return with_results<widens, real_mbstowcs>(caller(), target, source, room);
}
Size wcstombs(char* target, const W* source, Size room) noexcept {
  return with_results<narrows, real_wcstombs>(caller(), target, source, room);
}
Size __mbstowcs_chk(W* target, const char* source, Size room, Size size) noexcept {
  return with_results<widens_checked, real_mbstowcs_chk>(caller(), target, source, room, size);
}
Size __wcstombs_chk(char* target, const W* source, Size room, Size size) noexcept {
  return with_results<narrows_checked, real_wcstombs_chk>(caller(), target, source, room, size);
}

} // extern "C"
#pragma GCC visibility pop
