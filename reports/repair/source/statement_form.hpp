// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a simple statement does to a variable: whether it can be an atomic operation, or a step of a reduction.
#pragma once

#include "reports/repair/source/code.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fletcher::reports {

struct StatementForm {
  enum class Kind {
    update,  ///< x += e, x = x + e, x++
    capture, ///< y = x++
    write,   ///< x = e, where e has no x
    own,     ///< x = f(x): any other that reads what it writes
  };
  Kind kind = Kind::write;
  std::string target;    ///< of a capture: what is updated
  std::string operation; ///< of an update: + - * / & | ^ % << >> max min
  std::string value;     ///< of an update or a write: e
};

/// The variable that a target begins with: "p" of "*p", "a" of "a[i].x".
std::string base_of(std::string_view target);

/// The form of an assignment; nothing for other statements.
std::optional<StatementForm> statement_form(std::string_view statement);

/// What `if (e > x) x = e;` is a step of: the update "max", or "min".
std::optional<StatementForm> conditional_form(std::string_view statement);

/// The statement that a place is in, and what it does; `if (e > x)` and `x = e;` together, wherever of the two it is.
struct Step {
  Extent extent;
  StatementForm form;
};
std::optional<Step> step_at(const Code& code, const SourcePlace& place);

/// Whether a mention of a variable changes it or a part of it, or takes its address.
bool is_changed_at(const Code& code, Position at, std::string_view name);

/// An update that OpenMP allows in an atomic construct.
bool may_be_atomic(const StatementForm& form);

/// How a reduction of such updates is named: "+" also for what is subtracted. Empty where there is none.
std::string reduction_operation(const StatementForm& form);

} // namespace fletcher::reports
