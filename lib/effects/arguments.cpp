// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/effects/arguments.hpp"

#include <algorithm>
#include <cstring>

namespace fletcher::effects {

namespace {

char upper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// What CBLAS's enumerations stand for.
char letter_of(std::uint32_t constant) noexcept {
  switch (constant) {
  case 111: // CblasNoTrans
  case 131: // CblasNonUnit
    return 'N';
  case 112:
    return 'T';
  case 113: // CblasConjTrans
    return 'C';
  case 121: // CblasUpper
  case 132: // CblasUnit
    return 'U';
  case 122: // CblasLower
  case 141: // CblasLeft
    return 'L';
  case 142:
    return 'R';
  default:
    return 'N';
  }
}

constexpr std::uint32_t row_major = 101;

} // namespace

bool Signature::by_value(Kind kind) const noexcept {
  if (form_.convention == Convention::fortran) return false;
  if (kind == Kind::number) return form_.convention != Convention::cblas || !is_complex();
  return kind == Kind::flag || kind == Kind::integer || kind == Kind::wide || kind == Kind::real;
}

std::size_t Signature::element_size(Kind kind) const noexcept {
  const bool is_single = function_->type == 's' || function_->type == 'c';
  const std::size_t real = is_single ? 4 : 8;
  switch (kind) {
  case Kind::number:
  case Kind::array:
    return is_complex() ? 2 * real : real;
  case Kind::real:
  case Kind::reals:
    return real;
  case Kind::complexes:
    return 2 * real;
  case Kind::integers:
  case Kind::integer:
    return integer_size();
  case Kind::wide:
  case Kind::pointer:
    return 8;
  case Kind::flag:
  case Kind::bytes:
    break;
  }
  return 1;
}

Signature::Place Signature::next(bool vector, unsigned registers) noexcept {
  std::uint8_t& used = vector ? vector_ : general_;
  const unsigned most = vector ? 8 : 6;
  if (used + registers <= most) {
    const Place place{vector ? Place::Where::vector : Place::Where::general, used};
    used = static_cast<std::uint8_t>(used + registers);
    return place;
  }
  const Place place{Place::Where::stack, on_stack_};
  on_stack_ = static_cast<std::uint8_t>(on_stack_ + registers);
  return place;
}

std::optional<Signature> Signature::of(const Known& known) {
  Signature made;
  made.table_ = known.table;
  made.function_ = known.function;
  made.form_ = known.form;
  const auto parameters = known.table->parameters_of(*known.function);
  if (parameters.size() > most_parameters) return std::nullopt;
  const Convention convention = known.form.convention;
  if (known.function->ordered && (convention == Convention::cblas || convention == Convention::lapacke))
    made.order_ = made.next(false);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& one = parameters[i];
    if (convention != Convention::fortran && one.presence == Presence::fortran) continue;
    if (convention != Convention::fortran && one.presence == Presence::workspace && !known.form.with_workspace)
      continue;
    const bool in_vector = made.by_value(one.kind) && (one.kind == Kind::real || one.kind == Kind::number);
    // A complex number of double precision takes two registers, one of single precision half of each of one.
    const bool takes_two = in_vector && one.kind == Kind::number && known.function->type == 'z';
    made.places_[i] = made.next(in_vector, takes_two ? 2 : 1);
  }
  return made;
}

const void* Arguments::memory(Signature::Place place) const noexcept {
  switch (place.where) {
  case Signature::Place::Where::general:
    return &registers_.general[place.index];
  case Signature::Place::Where::vector:
    return &registers_.vector[place.index];
  case Signature::Place::Where::stack:
    return registers_.stack + place.index;
  case Signature::Place::Where::nowhere:
    break;
  }
  return nullptr;
}

std::uint64_t Arguments::word(Signature::Place place) const noexcept {
  std::uint64_t value = 0;
  if (const void* const at = memory(place)) std::memcpy(&value, at, sizeof value);
  return value;
}

std::byte* Arguments::address(std::uint8_t parameter) const noexcept {
  return reinterpret_cast<std::byte*>(word(signature_.place(parameter)));
}

bool Arguments::by_rows() const noexcept { return static_cast<std::uint32_t>(word(signature_.order())) == row_major; }

std::int64_t Arguments::integer(std::uint8_t parameter) const noexcept {
  const Kind kind = signature_.parameter(parameter).kind;
  const void* at = memory(signature_.place(parameter));
  if (at != nullptr && !signature_.by_value(kind)) at = address(parameter);
  if (at == nullptr) return 1; // workspace that the function finds itself
  if (kind == Kind::wide || signature_.form().wide) {
    std::int64_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  std::int32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

char Arguments::flag(std::uint8_t parameter) const noexcept {
  const std::uint64_t word = this->word(signature_.place(parameter));
  switch (signature_.form().convention) {
  case Convention::fortran:
    return word == 0 ? '\0' : upper(*reinterpret_cast<const char*>(word));
  case Convention::cblas:
    return letter_of(static_cast<std::uint32_t>(word));
  case Convention::lapacke:
  case Convention::c:
    break;
  }
  return upper(static_cast<char>(word));
}

bool Arguments::is_zero(std::uint8_t parameter) const noexcept {
  const Kind kind = signature_.parameter(parameter).kind;
  const Signature::Place place = signature_.place(parameter);
  const void* at = memory(place);
  if (at != nullptr && !signature_.by_value(kind)) at = address(parameter);
  if (at == nullptr) return false;
  const bool is_double = signature_.function().type != 's' && signature_.function().type != 'c';
  const bool is_pair = kind == Kind::number && signature_.is_complex();
  const auto* bytes = static_cast<const std::byte*>(at);
  // The second half of a pair in registers is in the next one, and that in the next 16 bytes.
  const bool in_registers = signature_.by_value(kind) && place.where == Signature::Place::Where::vector;
  const std::size_t size = is_double ? sizeof(double) : sizeof(float);
  for (unsigned part = 0; part < (is_pair ? 2u : 1u); ++part) {
    const std::byte* const here = bytes + part * (in_registers && is_double ? sizeof(Registers::Vector) : size);
    double value = 0;
    if (is_double) {
      std::memcpy(&value, here, sizeof value);
    } else {
      float single = 0;
      std::memcpy(&single, here, sizeof single);
      value = static_cast<double>(single);
    }
    if (!(value <= 0 && value >= 0)) return false;
  }
  return true;
}

std::int64_t Arguments::element(std::uint8_t parameter, std::int64_t index) const noexcept {
  const std::byte* const array = address(parameter);
  if (array == nullptr) return 0;
  if (signature_.form().wide) {
    std::int64_t value = 0;
    std::memcpy(&value, array + index * 8, sizeof value);
    return value;
  }
  std::int32_t value = 0;
  std::memcpy(&value, array + index * 4, sizeof value);
  return value;
}

std::int64_t Arguments::value_of(std::uint8_t parameter) const noexcept {
  switch (signature_.parameter(parameter).kind) {
  case Kind::flag:
    return flag(parameter);
  case Kind::number:
  case Kind::real:
    return is_zero(parameter) ? 0 : 1;
  default:
    return integer(parameter);
  }
}

char Arguments::letter(std::uint8_t flag) const noexcept {
  if (flag == no_parameter) return '\0';
  return (flag & letter_bit) != 0 ? static_cast<char>(flag & ~letter_bit) : this->flag(flag);
}

std::int64_t Arguments::value(Expression expression) const noexcept {
  constexpr std::size_t deepest = 32;
  std::array<std::int64_t, deepest> stack{};
  std::size_t top = 0;
  const auto two = [&](auto compute) {
    if (top < 2) return;
    --top;
    stack[top - 1] = compute(stack[top - 1], stack[top]);
  };
  for (const Instruction& one : signature_.table().instructions.subspan(expression.first, expression.count)) {
    if (top == deepest) return 0;
    const auto operand = static_cast<std::uint8_t>(one.operand);
    switch (one.operation) {
    case Operation::constant:
      stack[top++] = one.operand;
      break;
    case Operation::value:
      stack[top++] = value_of(operand);
      break;
    case Operation::element:
      if (top > 0) stack[top - 1] = element(operand, stack[top - 1]);
      break;
    case Operation::add:
      two([](auto a, auto b) { return a + b; });
      break;
    case Operation::subtract:
      two([](auto a, auto b) { return a - b; });
      break;
    case Operation::multiply:
      two([](auto a, auto b) { return a * b; });
      break;
    case Operation::divide:
      two([](auto a, auto b) { return b == 0 ? 0 : a / b; });
      break;
    case Operation::least:
      two([](auto a, auto b) { return std::min(a, b); });
      break;
    case Operation::most:
      two([](auto a, auto b) { return std::max(a, b); });
      break;
    case Operation::less:
      two([](auto a, auto b) { return std::int64_t{a < b}; });
      break;
    case Operation::less_or_equal:
      two([](auto a, auto b) { return std::int64_t{a <= b}; });
      break;
    case Operation::equal:
      two([](auto a, auto b) { return std::int64_t{a == b}; });
      break;
    case Operation::unequal:
      two([](auto a, auto b) { return std::int64_t{a != b}; });
      break;
    case Operation::both:
      two([](auto a, auto b) { return std::int64_t{a != 0 && b != 0}; });
      break;
    case Operation::either:
      two([](auto a, auto b) { return std::int64_t{a != 0 || b != 0}; });
      break;
    case Operation::no:
      if (top > 0) stack[top - 1] = stack[top - 1] == 0;
      break;
    case Operation::choose:
      if (top >= 3) {
        top -= 2;
        stack[top - 1] = stack[top - 1] != 0 ? stack[top] : stack[top + 1];
      }
      break;
    }
  }
  return top == 0 ? 1 : stack[top - 1];
}

} // namespace fletcher::effects
