// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/reports/sanitizer_options.hpp"

#include <algorithm>
#include <cstdlib>

namespace fletcher::annotate {

std::optional<std::string> option_in(std::string_view text, std::string_view name) {
  constexpr std::string_view between = " ,:\n\t\r";
  std::optional<std::string> value;
  for (;;) {
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(between)));
    if (text.empty()) return value;
    const std::string_view key = text.substr(0, text.find('='));
    text.remove_prefix(std::min(text.size(), key.size() + 1));
    const bool quoted = text.starts_with('"') || text.starts_with('\'');
    const std::string_view ends = quoted ? text.substr(0, 1) : between;
    if (quoted) text.remove_prefix(1);
    const std::string_view given = text.substr(0, text.find_first_of(ends));
    text.remove_prefix(std::min(text.size(), given.size() + (quoted ? 1 : 0)));
    if (key == name) value = given;
  }
}

std::optional<std::string> sanitizer_option(std::string_view name) {
  const char* const options = std::getenv("TSAN_OPTIONS");
  return options == nullptr ? std::nullopt : option_in(options, name);
}

} // namespace fletcher::annotate
