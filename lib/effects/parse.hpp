// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table from its text. docs/libraries.md describes the language; tables/ has examples.
#pragma once

#include "lib/effects/table.hpp"

#include <deque>
#include <string>
#include <vector>

namespace fletcher::effects {

struct Mistake {
  std::uint32_t line, column;
  std::string message; ///< what was expected, and what stands there
};

/// A table and what it is made of.
class Tables {
public:
  Tables() = default;
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  /// Adds what the text says, up to its first mistake; the mistakes, none where all is well.
  std::vector<Mistake> add(std::string_view text);
  /// Valid until something is added.
  Table table();

private:
  friend class Parser;
  std::deque<std::string> texts_; ///< names are parts of these, or stand there by themselves
  std::vector<Function> functions_;
  std::vector<Parameter> parameters_;
  std::vector<Effect> effects_;
  std::vector<Instruction> instructions_;
};

} // namespace fletcher::effects
