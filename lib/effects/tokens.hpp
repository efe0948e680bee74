// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words and signs of a table's text, one after the other.
#pragma once

#include <cstdint>
#include <string_view>

namespace fletcher::effects {

struct Token {
  enum class Kind : std::uint8_t { end, word, number, letter, sign, unknown } kind = Kind::end;
  std::string_view text; ///< of a letter without its quotes
  std::uint32_t line = 1, column = 1;
};

class Tokens {
public:
  explicit Tokens(std::string_view text) : left_(text) { step(); }
  const Token& now() const noexcept { return now_; }
  Token take() {
    const Token taken = now_;
    step();
    return taken;
  }

private:
  void step();
  void skip_blanks();
  void drop(std::size_t count) {
    left_.remove_prefix(count);
    column_ += static_cast<std::uint32_t>(count);
  }
  std::string_view left_;
  std::uint32_t line_ = 1, column_ = 1;
  Token now_;
};

} // namespace fletcher::effects
