// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all of a table's grammar is made of: words and signs that are taken or expected. Recursive descent; the first
// mistake ends it, by an exception that does not get out of Tables::add.
#pragma once

#include "lib/effects/parse.hpp"
#include "lib/effects/tokens.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace fletcher::effects {

class Grammar {
protected:
  explicit Grammar(std::string_view text) : tokens_(text) {}

  [[noreturn]] static void fail(const Token& at, std::string expected) {
    const std::string found = at.kind == Token::Kind::end ? "the end" : "'" + std::string(at.text) + "'";
    throw Mistake{at.line, at.column, "expected " + std::move(expected) + ", not " + found};
  }
  [[noreturn]] void fail(std::string expected) const { fail(tokens_.now(), std::move(expected)); }
  bool is(Token::Kind kind, std::string_view text) const {
    return tokens_.now().kind == kind && tokens_.now().text == text;
  }
  bool is_sign(std::string_view sign) const { return is(Token::Kind::sign, sign); }
  bool is_word(std::string_view word) const { return is(Token::Kind::word, word); }
  bool take_sign(std::string_view sign) { return is_sign(sign) && (tokens_.take(), true); }
  bool take_word(std::string_view word) { return is_word(word) && (tokens_.take(), true); }
  void expect(std::string_view sign) {
    if (!take_sign(sign)) fail("'" + std::string(sign) + "'");
  }
  Token word(std::string what) {
    if (tokens_.now().kind != Token::Kind::word) fail(std::move(what));
    return tokens_.take();
  }

  /// What follows is still of the statement: only statements begin at the beginning of a line.
  bool goes_on() const { return tokens_.now().kind != Token::Kind::end && tokens_.now().column != 1; }

  Tokens tokens_;
};

} // namespace fletcher::effects
