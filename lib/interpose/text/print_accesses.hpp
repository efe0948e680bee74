// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What printf and its relatives access through their arguments for the instrumented code that calls them. Called before
// the text is made, for which the arguments are looked at.
#pragma once

#include "lib/interpose/observe.hpp"

#include <cstdarg>

namespace fletcher::interpose {

namespace detail {
template <class Char>
void print_accesses(access::ThreadState& thread, Address pc, const Char* format, std::va_list arguments);
} // namespace detail

/// `Char` is char or wchar_t. The caller's `arguments` stay where they are.
template <class Char>
[[gnu::always_inline]] inline void reads_for_format(Address pc, const Char* format, std::va_list arguments) {
  if (access::ThreadState* const thread = checked(pc); thread != nullptr) [[unlikely]]
    detail::print_accesses(*thread, pc, format, arguments);
}

/// What a call made of `length` characters, negative where it failed, went to a buffer with `room` for some of them and
/// a zero.
template <class Char> void writes_formatted(Address pc, const Char* buffer, std::size_t room, int length) {
  if (length < 0 || room == 0) return;
  const auto all = static_cast<std::size_t>(length) + 1;
  if (access::ThreadState* const thread = checked(pc); thread != nullptr) [[unlikely]]
    writes(*thread, buffer, (all < room ? all : room) * sizeof(Char), pc);
}

} // namespace fletcher::interpose
