// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names by which libraries define a function of the table: Fortran's, and those of C's interfaces.
#pragma once

#include "lib/effects/table.hpp"

#include <optional>

namespace fletcher::effects {

struct Form {
  Convention convention = Convention::c;
  bool with_workspace = false; ///< LAPACKE's functions with _work
  bool wide = false;           ///< the name says that integers have 64 bits
};

struct Known {
  const Table* table;
  const Function* function;
  Form form;
};

/// The function that a library defines by this name.
std::optional<Known> find(const Table& table, std::string_view symbol) noexcept;

} // namespace fletcher::effects
