// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of a function's parameters, compiled to instructions.
#pragma once

#include "lib/effects/grammar.hpp"
#include "lib/effects/table.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fletcher::effects {

class Expressions : protected Grammar {
protected:
  /// Both grow while the text is read.
  Expressions(std::string_view text, std::vector<Instruction>& instructions, const std::vector<Parameter>& parameters)
      : Grammar(text), instructions_(instructions), parameters_(parameters) {}

  Expression expression();
  /// Both are true.
  Expression joined(Expression a, Expression b);
  /// Among the current function's parameters.
  std::optional<std::uint8_t> index_of(std::string_view name) const;

  Function current_{};

private:
  void emit(Operation operation, std::int32_t operand = 0);
  Expression part(std::size_t first) const;
  // By falling strength.
  void choice();
  void alternatives();
  void conditions();
  void comparison();
  void sum();
  void product();
  void primary();
  void value(const Token& name);

  std::vector<Instruction>& instructions_;
  const std::vector<Parameter>& parameters_;
};

} // namespace fletcher::effects
