// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of one call of a function of the table, where the platform's calling convention puts them.
#pragma once

#include "lib/effects/forms.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace fletcher::effects {

/// What a call has in registers and on the stack (System V ABI of x86-64).
struct Registers {
  std::uint64_t general[6];
  struct alignas(16) Vector {
    std::uint64_t low, high;
  } vector[8];
  const std::uint64_t* stack; ///< the first argument there
};

/// Where a call of the function finds its arguments. Made once for each function that a program calls.
class Signature {
public:
  /// Nothing where the function has more arguments than anybody's.
  static std::optional<Signature> of(const Known& known);

  const Table& table() const noexcept { return *table_; }
  const Function& function() const noexcept { return *function_; }
  const Form& form() const noexcept { return form_; }
  std::span<const Effect> effects() const noexcept { return table_->effects_of(*function_); }
  const Parameter& parameter(std::uint8_t index) const noexcept { return table_->parameters_of(*function_)[index]; }
  /// How many words of the stack the arguments fill.
  std::size_t words_on_stack() const noexcept { return on_stack_; }

  /// Where a parameter is.
  struct Place {
    enum class Where : std::uint8_t { nowhere, general, vector, stack } where = Where::nowhere;
    std::uint8_t index = 0;
  };
  static constexpr std::size_t most_parameters = 24;
  Place place(std::uint8_t parameter) const noexcept { return places_[parameter]; }
  /// Of C's argument that says whether rows or columns lie one after the other.
  Place order() const noexcept { return order_; }
  bool by_value(Kind kind) const noexcept;
  std::size_t integer_size() const noexcept { return form_.wide ? 8 : 4; }
  /// Of one element of an array of this kind.
  std::size_t element_size(Kind kind) const noexcept;
  bool is_complex() const noexcept { return function_->type == 'c' || function_->type == 'z'; }

private:
  Place next(bool vector, unsigned registers = 1) noexcept;
  const Table* table_ = nullptr;
  const Function* function_ = nullptr;
  Form form_;
  std::array<Place, most_parameters> places_{};
  Place order_{};
  std::uint8_t general_ = 0, vector_ = 0, on_stack_ = 0;
};

/// The values of a call.
class Arguments {
public:
  Arguments(const Signature& signature, const Registers& registers) noexcept
      : signature_(signature), registers_(registers) {}
  const Signature& signature() const noexcept { return signature_; }

  /// The value of an expression; 1 where none is given.
  std::int64_t value(Expression expression) const noexcept;
  /// Of one parameter, as Operation::value says.
  std::int64_t value_of(std::uint8_t parameter) const noexcept;
  /// False only where a condition is given and does not hold.
  bool holds(Expression condition) const noexcept { return !condition.given() || value(condition) != 0; }
  /// The letter of a flag of an effect; 0 where it has none.
  char letter(std::uint8_t flag) const noexcept;
  /// Null where the call has no such argument.
  std::byte* address(std::uint8_t parameter) const noexcept;
  std::int64_t integer(std::uint8_t parameter) const noexcept;
  std::int64_t element(std::uint8_t parameter, std::int64_t index) const noexcept;
  /// Rows lie one after the other, not columns.
  bool by_rows() const noexcept;

private:
  const void* memory(Signature::Place place) const noexcept;
  std::uint64_t word(Signature::Place place) const noexcept;
  char flag(std::uint8_t parameter) const noexcept;
  bool is_zero(std::uint8_t parameter) const noexcept;
  const Signature& signature_;
  const Registers& registers_;
};

} // namespace fletcher::effects
