// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/effects/tokens.hpp"

#include <algorithm>

namespace fletcher::effects {

namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_of_word(char c) noexcept {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

std::size_t length(std::string_view text, bool (*belongs)(char)) noexcept {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, belongs) - text.begin());
}

} // namespace

void Tokens::skip_blanks() {
  while (!left_.empty()) {
    const char c = left_.front();
    if (c == '#') {
      drop(std::min(left_.find('\n'), left_.size()));
    } else if (c == '\n') {
      left_.remove_prefix(1);
      ++line_;
      column_ = 1;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      drop(1);
    } else {
      return;
    }
  }
}

void Tokens::step() {
  skip_blanks();
  now_ = {Token::Kind::end, {}, line_, column_};
  if (left_.empty()) return;
  const auto is = [&](Token::Kind kind, std::size_t size) {
    now_.kind = kind;
    now_.text = left_.substr(0, size);
    drop(size);
  };
  const char c = left_.front();
  if (is_digit(c)) return is(Token::Kind::number, length(left_, is_digit));
  if (is_of_word(c)) return is(Token::Kind::word, length(left_, is_of_word));
  if (c == '\'' && left_.size() >= 3 && left_[2] == '\'') {
    is(Token::Kind::letter, 3);
    now_.text = now_.text.substr(1, 1);
    return;
  }
  for (const std::string_view sign : {"==", "!=", "<=", ">="})
    if (left_.starts_with(sign)) return is(Token::Kind::sign, sign.size());
  is(std::string_view("():,?+-*/<>[]").find(c) != std::string_view::npos ? Token::Kind::sign : Token::Kind::unknown, 1);
}

} // namespace fletcher::effects
