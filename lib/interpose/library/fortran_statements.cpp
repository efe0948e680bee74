// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Fortran's read and write statements access besides their items: the character variable that is their file (an
// internal unit), and the variable of iostat=. Relies on the parameter block of libgfortran's ABI 8.
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

#include <cstddef>
#include <cstdint>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using access::Kind;

/// The block's beginning. The library sets further fields behind these.
struct Statement {
  std::uint32_t flags;
  std::int32_t unit;
  const char* file;
  std::int32_t line;
  std::size_t message_length;
  char* message;
  std::int32_t* status;
  std::int64_t record;
  void *size, *record_length;
  const void* internal_array; ///< null: the internal unit is one variable
  const char* format;
  std::size_t format_length, advance_length;
  const char* advance;
  char* internal_unit;
  std::size_t internal_length; ///< in characters
};
static_assert(offsetof(Statement, status) == 40 && offsetof(Statement, internal_unit) == 112);

constexpr std::uint32_t has_status = 1u << 5, has_internal_unit = 1u << 14;
constexpr std::int32_t unit_of_wide_characters = -4;

constinit Real<void(Statement*)> real_read{"_gfortran_st_read"}, real_write{"_gfortran_st_write"};

/// A write fills the variable, with blanks at its end. How much of it a read needs depends on the format; the first
/// character it does.
template <Kind kind> void begins(access::ThreadState& thread, Address pc, Statement* statement) {
  if ((statement->flags & has_status) != 0 && statement->status != nullptr)
    access_range(thread, statement->status, sizeof *statement->status, Kind::write, pc);
  if ((statement->flags & has_internal_unit) == 0 || statement->internal_array != nullptr) return;
  if (statement->internal_unit == nullptr || statement->internal_length == 0) return;
  const std::size_t character = statement->unit == unit_of_wide_characters ? 4 : 1;
  access_range(thread, statement->internal_unit,
               character * (kind == Kind::write ? statement->internal_length : std::size_t{1}), kind, pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void _gfortran_st_read(Statement* statement) { with_accesses<begins<Kind::read>, real_read>(caller(), statement); }
void _gfortran_st_write(Statement* statement) { with_accesses<begins<Kind::write>, real_write>(caller(), statement); }

} // extern "C"
#pragma GCC visibility pop
