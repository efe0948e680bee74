// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/text/print_accesses.hpp"

#include "lib/interpose/real.hpp"
#include "lib/interpose/text/print_format.hpp"
#include "lib/interpose/text/text_accesses.hpp"

#include <atomic>
#include <cstdlib>
#include <string_view>

#include <printf.h>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int(int, printf_function*, printf_arginfo_function*) noexcept> real_register_function{
    "register_printf_function"};
constinit Real<int(int, printf_function*, printf_arginfo_size_function*) noexcept> real_register_specifier{
    "register_printf_specifier"};

/// The program has given one of the standard's conversions another meaning.
constinit std::atomic<bool> redefined{false};

/// libquadmath does so with those of floating-point numbers, for another modifier only.
void note_conversion(int letter) noexcept {
  constexpr std::string_view reals = "aAeEfFgG";
  if (is_known_conversion(letter) && reals.find(static_cast<char>(letter)) == reals.npos)
    redefined.store(true, std::memory_order_relaxed);
}

/// Of a text whose precision counts bytes that wide characters become: those that are looked at in any case.
std::size_t characters(std::size_t precision) { return precision / MB_CUR_MAX; }

} // namespace

namespace fletcher::interpose::detail {

template <class Char>
[[gnu::noinline]] void print_accesses(access::ThreadState& thread, Address pc, const Char* format,
                                      std::va_list arguments) {
  if (format == nullptr || redefined.load(std::memory_order_relaxed)) return;
  const KeptErrno kept;
  constexpr bool counts_bytes = sizeof(Char) == 1;
  const PrintedPointers pointers = printed_pointers(format, arguments);
  for (const PrintedPointer& pointer : pointers.all()) {
    const bool limited = pointer.limit != texts::unlimited;
    switch (pointer.use) {
    case PrintedPointer::Use::text:
      texts::measures_some(thread, pc, static_cast<const char*>(pointer.address), pointer.limit);
      break;
    case PrintedPointer::Use::wide_text:
      texts::measures_some(thread, pc, static_cast<const wchar_t*>(pointer.address),
                           limited && counts_bytes ? characters(pointer.limit) : pointer.limit);
      break;
    case PrintedPointer::Use::count:
      writes(thread, pointer.address, pointer.limit, pc);
      break;
    }
  }
}

template void print_accesses(access::ThreadState&, Address, const char*, std::va_list);
template void print_accesses(access::ThreadState&, Address, const wchar_t*, std::va_list);

} // namespace fletcher::interpose::detail

#pragma GCC visibility push(default)
extern "C" {

int register_printf_function(int letter, printf_function* print, printf_arginfo_function* arguments) noexcept {
  note_conversion(letter);
  return real_register_function(letter, print, arguments);
}
int register_printf_specifier(int letter, printf_function* print, printf_arginfo_size_function* arguments) noexcept {
  note_conversion(letter);
  return real_register_specifier(letter, print, arguments);
}

} // extern "C"
#pragma GCC visibility pop
