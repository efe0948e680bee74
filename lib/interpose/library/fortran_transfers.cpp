// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The items of Fortran's print, write and read statements, as accesses of the instrumented code that has the statement:
// gfortran's library is given each variable and array by address. Relies on the names and arguments of libgfortran's
// ABI 8.
#include "lib/interpose/library/fortran_arrays.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

#include <utility>

using namespace fletcher;
using namespace fletcher::interpose;
using fortran::Descriptor;

namespace {

using Thread = access::ThreadState;
using access::Kind;

using OfKind = void(void*, void*, int);
using OfText = void(void*, void*, std::size_t);
using OfWideText = void(void*, void*, std::size_t, int);
using OfArray = void(void*, Descriptor*, int, std::size_t);

constinit Real<OfKind> real_integer{"_gfortran_transfer_integer"},
    real_integer_write{"_gfortran_transfer_integer_write"}, real_logical{"_gfortran_transfer_logical"},
    real_logical_write{"_gfortran_transfer_logical_write"}, real_real{"_gfortran_transfer_real"},
    real_real_write{"_gfortran_transfer_real_write"}, real_complex{"_gfortran_transfer_complex"},
    real_complex_write{"_gfortran_transfer_complex_write"}, real_real128{"_gfortran_transfer_real128"},
    real_real128_write{"_gfortran_transfer_real128_write"}, real_complex128{"_gfortran_transfer_complex128"},
    real_complex128_write{"_gfortran_transfer_complex128_write"};
constinit Real<OfText> real_character{"_gfortran_transfer_character"},
    real_character_write{"_gfortran_transfer_character_write"};
constinit Real<OfWideText> real_wide{"_gfortran_transfer_character_wide"},
    real_wide_write{"_gfortran_transfer_character_wide_write"};
constinit Real<OfArray> real_array{"_gfortran_transfer_array"}, real_array_write{"_gfortran_transfer_array_write"};

// What each transfer accesses. The kind of a real number is its size, except for x87's of 10 bytes.
template <Kind access> void whole_number(Thread& thread, Address pc, void*, void* item, int kind) {
  access_range(thread, item, static_cast<std::size_t>(kind), access, pc);
}
template <Kind access, std::size_t parts> void floating(Thread& thread, Address pc, void*, void* item, int kind) {
  access_range(thread, item, parts * static_cast<std::size_t>(kind == 10 ? 16 : kind), access, pc);
}
template <Kind access> void text(Thread& thread, Address pc, void*, void* item, std::size_t length) {
  access_range(thread, item, length, access, pc);
}
template <Kind access> void wide_text(Thread& thread, Address pc, void*, void* item, std::size_t length, int kind) {
  access_range(thread, item, length * static_cast<std::size_t>(kind), access, pc);
}
template <Kind access> void array(Thread& thread, Address pc, void*, Descriptor* item, int, std::size_t) {
  fortran::access_elements(thread, *item, item->element_size, access, pc);
}

/// A transfer of a write statement is going on: the library uses the functions of read statements for it.
constinit thread_local bool writing = false;

template <auto accesses, auto& function, class... Arguments>
[[gnu::noinline]] void checked_read(Thread& thread, Address pc, Arguments... arguments) {
  if (!writing && modules::is_instrumented(pc)) accesses(thread, pc, arguments...);
  function(arguments...);
}
template <auto accesses, auto& function, class... Arguments>
[[gnu::noinline]] void checked_write(Thread& thread, Address pc, Arguments... arguments) {
  if (modules::is_instrumented(pc)) accesses(thread, pc, arguments...);
  const bool before = std::exchange(writing, true);
  function(arguments...);
  writing = before;
}

/// The transfer of a read statement.
template <auto accesses, auto& function, class... Arguments>
[[gnu::always_inline]] inline void read_item(Address pc, Arguments... arguments) {
  if (Thread* const thread = checking(); thread != nullptr)
    return checked_read<accesses, function>(*thread, pc, arguments...);
  function(arguments...);
}
template <auto accesses, auto& function, class... Arguments>
[[gnu::always_inline]] inline void write_item(Address pc, Arguments... arguments) {
  if (Thread* const thread = checking(); thread != nullptr)
    return checked_write<accesses, function>(*thread, pc, arguments...);
  function(arguments...);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void _gfortran_transfer_integer(void* statement, void* item, int kind) {
  read_item<whole_number<Kind::write>, real_integer>(caller(), statement, item, kind);
}
void _gfortran_transfer_integer_write(void* statement, void* item, int kind) {
  write_item<whole_number<Kind::read>, real_integer_write>(caller(), statement, item, kind);
}
void _gfortran_transfer_logical(void* statement, void* item, int kind) {
  read_item<whole_number<Kind::write>, real_logical>(caller(), statement, item, kind);
}
void _gfortran_transfer_logical_write(void* statement, void* item, int kind) {
  write_item<whole_number<Kind::read>, real_logical_write>(caller(), statement, item, kind);
}
void _gfortran_transfer_real(void* statement, void* item, int kind) {
  read_item<floating<Kind::write, 1>, real_real>(caller(), statement, item, kind);
}
void _gfortran_transfer_real_write(void* statement, void* item, int kind) {
  write_item<floating<Kind::read, 1>, real_real_write>(caller(), statement, item, kind);
}
void _gfortran_transfer_complex(void* statement, void* item, int kind) {
  read_item<floating<Kind::write, 2>, real_complex>(caller(), statement, item, kind);
}
void _gfortran_transfer_complex_write(void* statement, void* item, int kind) {
  write_item<floating<Kind::read, 2>, real_complex_write>(caller(), statement, item, kind);
}
void _gfortran_transfer_real128(void* statement, void* item, int kind) {
  read_item<floating<Kind::write, 1>, real_real128>(caller(), statement, item, kind);
}
void _gfortran_transfer_real128_write(void* statement, void* item, int kind) {
  write_item<floating<Kind::read, 1>, real_real128_write>(caller(), statement, item, kind);
}
void _gfortran_transfer_complex128(void* statement, void* item, int kind) {
  read_item<floating<Kind::write, 2>, real_complex128>(caller(), statement, item, kind);
}
void _gfortran_transfer_complex128_write(void* statement, void* item, int kind) {
  write_item<floating<Kind::read, 2>, real_complex128_write>(caller(), statement, item, kind);
}
void _gfortran_transfer_character(void* statement, void* item, std::size_t length) {
  read_item<text<Kind::write>, real_character>(caller(), statement, item, length);
}
void _gfortran_transfer_character_write(void* statement, void* item, std::size_t length) {
  write_item<text<Kind::read>, real_character_write>(caller(), statement, item, length);
}
void _gfortran_transfer_character_wide(void* statement, void* item, std::size_t length, int kind) {
  read_item<wide_text<Kind::write>, real_wide>(caller(), statement, item, length, kind);
}
void _gfortran_transfer_character_wide_write(void* statement, void* item, std::size_t length, int kind) {
  write_item<wide_text<Kind::read>, real_wide_write>(caller(), statement, item, length, kind);
}
void _gfortran_transfer_array(void* statement, Descriptor* item, int kind, std::size_t length) {
  read_item<array<Kind::write>, real_array>(caller(), statement, item, kind, length);
}
void _gfortran_transfer_array_write(void* statement, Descriptor* item, int kind, std::size_t length) {
  write_item<array<Kind::read>, real_array_write>(caller(), statement, item, kind, length);
}

} // extern "C"
#pragma GCC visibility pop
