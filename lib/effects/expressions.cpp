// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/effects/expressions.hpp"

#include <charconv>

namespace fletcher::effects {

std::optional<std::uint8_t> Expressions::index_of(std::string_view name) const {
  for (std::uint16_t i = 0; i < current_.parameters; ++i)
    if (parameters_[static_cast<std::size_t>(current_.first_parameter + i)].name == name)
      return static_cast<std::uint8_t>(i);
  return std::nullopt;
}

void Expressions::emit(Operation operation, std::int32_t operand) { instructions_.push_back({operation, operand}); }

Expression Expressions::expression() {
  const std::size_t first = instructions_.size();
  choice();
  return part(first);
}

Expression Expressions::part(std::size_t first) const {
  return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(instructions_.size() - first)};
}

Expression Expressions::joined(Expression a, Expression b) {
  const std::size_t first = instructions_.size();
  for (const Expression one : {a, b})
    for (std::uint16_t i = 0; i < one.count; ++i)
      instructions_.push_back(Instruction(instructions_[static_cast<std::size_t>(one.first + i)]));
  emit(Operation::both);
  return part(first);
}

void Expressions::choice() {
  alternatives();
  if (!take_sign("?")) return;
  choice();
  expect(":");
  choice();
  emit(Operation::choose);
}

void Expressions::alternatives() {
  conditions();
  while (take_word("or")) conditions(), emit(Operation::either);
}

void Expressions::conditions() {
  comparison();
  while (take_word("and")) comparison(), emit(Operation::both);
}

void Expressions::comparison() {
  sum();
  const std::string_view sign = tokens_.now().kind == Token::Kind::sign ? tokens_.now().text : "";
  if (sign != "==" && sign != "!=" && sign != "<" && sign != "<=" && sign != ">" && sign != ">=") return;
  tokens_.take();
  sum();
  if (sign == "==" || sign == "!=") return emit(sign == "==" ? Operation::equal : Operation::unequal);
  const bool strictly = sign == "<" || sign == ">=";
  emit(strictly ? Operation::less : Operation::less_or_equal);
  if (sign.front() == '>') emit(Operation::no);
}

void Expressions::sum() {
  product();
  while (is_sign("+") || is_sign("-")) {
    const bool adds = tokens_.take().text == "+";
    product();
    emit(adds ? Operation::add : Operation::subtract);
  }
}

void Expressions::product() {
  primary();
  while (is_sign("*") || is_sign("/")) {
    const bool multiplies = tokens_.take().text == "*";
    primary();
    emit(multiplies ? Operation::multiply : Operation::divide);
  }
}

void Expressions::primary() {
  const Token token = tokens_.now();
  if (take_sign("(")) {
    choice();
    return expect(")");
  }
  if (take_sign("-")) {
    emit(Operation::constant, 0);
    primary();
    return emit(Operation::subtract);
  }
  if (token.kind == Token::Kind::number) {
    std::int32_t value = 0;
    if (std::from_chars(token.text.data(), token.text.data() + token.text.size(), value).ec != std::errc())
      fail("a smaller number");
    tokens_.take();
    return emit(Operation::constant, value);
  }
  if (token.kind == Token::Kind::letter) return emit(Operation::constant, tokens_.take().text.front());
  if (token.kind != Token::Kind::word) fail("a number, a parameter, a letter in quotes or a parenthesis");
  tokens_.take();
  if (token.text == "min" || token.text == "max") {
    expect("(");
    choice();
    expect(",");
    choice();
    expect(")");
    return emit(token.text == "min" ? Operation::least : Operation::most);
  }
  value(token);
}

void Expressions::value(const Token& name) {
  const auto found = index_of(name.text);
  if (!found) fail(name, "a parameter of the function");
  const Kind kind = parameters_[static_cast<std::size_t>(current_.first_parameter + *found)].kind;
  if (kind == Kind::integers) {
    expect("[");
    choice();
    expect("]");
    return emit(Operation::element, *found);
  }
  if (is_array(kind) || kind == Kind::pointer) fail(name, "a parameter that is a flag or a number");
  emit(Operation::value, *found);
}

} // namespace fletcher::effects
