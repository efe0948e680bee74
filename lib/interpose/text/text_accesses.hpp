// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions of texts access for the instrumented code that calls them, of narrow and wide characters alike. Relies
// on texts being what the function itself will find: it is looked at before the call.
#pragma once

#include "lib/interpose/libc.hpp"
#include "lib/interpose/observe.hpp"

#include <cstddef>

namespace fletcher::interpose::texts {

using Size = std::size_t;
using Thread = access::ThreadState;

inline constexpr Size unlimited = ~Size{0};

inline Size length(const char* text) { return libc::strlen(text); }
inline Size length(const wchar_t* text) { return libc::wcslen(text); }
inline Size length(const char* text, Size most) { return libc::strnlen(text, most); }
inline Size length(const wchar_t* text, Size most) { return libc::wcsnlen(text, most); }

/// Characters of the text with its final zero, or `most`.
template <class Char> Size extent(const Char* text, Size most = unlimited) {
  const Size all = most == unlimited ? length(text) : length(text, most);
  return all < most ? all + 1 : most;
}

/// Characters that a comparison looks at: up to the first difference or end.
template <class Char> Size compared(const Char* a, const Char* b, Size most) {
  for (Size i = 0; i < most; ++i)
    if (a[i] != b[i] || a[i] == 0) return i + 1;
  return most;
}

template <class Char> void reads_characters(Thread& thread, Address pc, const Char* text, Size count) {
  reads(thread, text, count * sizeof(Char), pc);
}
template <class Char> void writes_characters(Thread& thread, Address pc, Char* text, Size count) {
  writes(thread, text, count * sizeof(Char), pc);
}

template <class Char> void measures(Thread& thread, Address pc, const Char* text) {
  reads_characters(thread, pc, text, extent(text));
}
template <class Char> void measures_some(Thread& thread, Address pc, const Char* text, Size most) {
  reads_characters(thread, pc, text, extent(text, most));
}
template <class Char> void copies(Thread& thread, Address pc, Char* target, const Char* source) {
  const Size size = extent(source);
  reads_characters(thread, pc, source, size);
  writes_characters(thread, pc, target, size);
}
template <class Char> void copies_checked(Thread& thread, Address pc, Char* target, const Char* source, Size) {
  copies(thread, pc, target, source);
}
/// Fills all of `size`.
template <class Char> void copies_some(Thread& thread, Address pc, Char* target, const Char* source, Size size) {
  reads_characters(thread, pc, source, extent(source, size));
  writes_characters(thread, pc, target, size);
}
template <class Char>
void copies_some_checked(Thread& thread, Address pc, Char* target, const Char* source, Size size, Size) {
  copies_some(thread, pc, target, source, size);
}
/// At most `most` characters, and a zero in any case.
template <class Char> void appends_some(Thread& thread, Address pc, Char* target, const Char* source, Size most) {
  const Size before = length(target);
  const Size read = extent(source, most);
  const bool ended = read != 0 && source[read - 1] == 0;
  reads_characters(thread, pc, source, read);
  reads_characters(thread, pc, target, before + 1);
  writes_characters(thread, pc, target + before, ended ? read : read + 1);
}
template <class Char> void appends(Thread& thread, Address pc, Char* target, const Char* source) {
  appends_some(thread, pc, target, source, unlimited);
}
template <class Char> void appends_checked(Thread& thread, Address pc, Char* target, const Char* source, Size) {
  appends_some(thread, pc, target, source, unlimited);
}
template <class Char>
void appends_some_checked(Thread& thread, Address pc, Char* target, const Char* source, Size most, Size) {
  appends_some(thread, pc, target, source, most);
}
template <class Char> void compares_some(Thread& thread, Address pc, const Char* a, const Char* b, Size most) {
  const Size size = compared(a, b, most);
  reads_characters(thread, pc, a, size);
  reads_characters(thread, pc, b, size);
}
template <class Char> void compares(Thread& thread, Address pc, const Char* a, const Char* b) {
  compares_some(thread, pc, a, b, unlimited);
}
/// Both to their ends.
template <class Char> void measures_both(Thread& thread, Address pc, const Char* a, const Char* b) {
  measures(thread, pc, a);
  measures(thread, pc, b);
}

} // namespace fletcher::interpose::texts
