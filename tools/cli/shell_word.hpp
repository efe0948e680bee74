// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A word as it is typed into a shell.
#pragma once

#include <string>
#include <string_view>

namespace fletcher::cli {

/// In quotes where the shell would read it otherwise.
inline std::string shell_word(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

} // namespace fletcher::cli
