// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions of libraries do with the memory that their callers give them, as data: made of text (parse.hpp), when
// Fletcher is built or when a program starts.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fletcher::effects {

/// Of a stack machine: expressions in the order in which they are computed.
enum class Operation : std::uint8_t {
  constant, ///< the operand
  value,    ///< of the parameter: a flag's letter, an integer; of a number only whether it is zero (0) or not (1)
  element,  ///< of the parameter, an array of integers, at the index that was computed last
  add,
  subtract,
  multiply,
  divide,
  least,
  most,
  less,
  less_or_equal,
  equal,
  unequal,
  both,
  either,
  no,
  choose, ///< the second of three values where the first is not zero, else the third
};
struct Instruction {
  Operation operation;
  std::int32_t operand = 0;
};
/// A part of Table::instructions. Empty: not given.
struct Expression {
  std::uint16_t first = 0, count = 0;
  bool given() const noexcept { return count != 0; }
};

enum class Kind : std::uint8_t {
  flag,      ///< a letter
  integer,   ///< of the library's width
  wide,      ///< of 64 bits
  number,    ///< of the function's type
  real,      ///< of the real type that belongs to it
  array,     ///< of numbers
  reals,     ///< an array of those
  complexes, ///< an array of pairs of numbers
  integers,  ///< an array
  bytes,     ///< memory that is counted in bytes
  pointer,   ///< anything else that is an address or a handle
};

constexpr bool is_array(Kind kind) noexcept { return kind >= Kind::array && kind <= Kind::bytes; }

/// In which of its forms a function has a parameter.
enum class Presence : std::uint8_t {
  everywhere,
  fortran,   ///< results in Fortran's only: C's function returns them
  workspace, ///< C's function finds such memory itself, unless it is the one with _work
};

struct Parameter {
  std::string_view name;
  Kind kind;
  Presence presence;
};

enum class Use : std::uint8_t { reads, writes, updates };
enum class Shape : std::uint8_t {
  vector, ///< rows, every `step`-th where that is given
  matrix, ///< rows x columns, the columns `step` apart
  packed, ///< the triangle of a matrix of so many rows
  swapped ///< of a matrix of `above` columns, the rows from `rows` to `columns`, and those that `pivots` names
};

inline constexpr std::uint8_t no_parameter = 255;
/// Where a flag stands in an effect, with this bit it is a letter and not the index of a parameter.
inline constexpr std::uint8_t letter_bit = 128;

struct Effect {
  Use use;
  Shape shape;
  std::uint8_t parameter;
  std::uint8_t transposed = no_parameter; ///< a flag: stored with rows and columns exchanged, unless it is N
  std::uint8_t triangle = no_parameter;   ///< a flag: only the part above (U) or below (L) the diagonal, and that
  std::uint8_t unit = no_parameter;       ///< a flag: without the diagonal (U)
  std::uint8_t pivots = no_parameter;
  Expression rows, columns, step;
  bool is_band = false;
  Expression below, above; ///< a band has so many diagonals there, a triangle (above it) so many further ones below
  Expression through; ///< not the parameter's own memory, but what the pointer so many bytes behind its begin leads to
  Expression condition;
  Expression reading; ///< of what is updated: else it is only written
};

/// How its arguments are passed.
enum class Convention : std::uint8_t {
  fortran, ///< all by reference; names end with an underscore
  cblas,   ///< scalars by value, complex ones by reference; with matrices, their order comes first
  lapacke, ///< scalars by value; the order of matrices comes first
  c,       ///< scalars by value
};

/// What calls of the function are besides: FFTW's plans.
enum class Role : std::uint8_t {
  computes,
  plans,    ///< the effects are those of each execution of the plan that it returns
  executes, ///< the plan that is its first argument, with the arrays that follow in place of its own
  ends,     ///< the plan that is its first argument
  permits,  ///< that several tasks make plans at a time
};

struct Function {
  std::string_view name; ///< without what a form adds to it
  char type;             ///< s, d, c, z as in BLAS; 0: none
  Role role;
  bool ordered;             ///< it has matrices, of which C may say that their rows lie one after the other
  std::uint8_t conventions; ///< a bit for each Convention
  std::uint16_t first_parameter, parameters;
  std::uint16_t first_effect, effects;
  bool has(Convention convention) const noexcept { return (conventions >> static_cast<int>(convention) & 1) != 0; }
};

struct Table {
  std::span<const Function> functions; ///< by name
  std::span<const Parameter> parameters;
  std::span<const Effect> effects;
  std::span<const Instruction> instructions;

  std::span<const Parameter> parameters_of(const Function& function) const noexcept {
    return parameters.subspan(function.first_parameter, function.parameters);
  }
  std::span<const Effect> effects_of(const Function& function) const noexcept {
    return effects.subspan(function.first_effect, function.effects);
  }
};

/// What Fletcher knows: the files in tables/.
extern const Table built_in;

} // namespace fletcher::effects
