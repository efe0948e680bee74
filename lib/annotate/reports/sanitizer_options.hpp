// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the user asks of ThreadSanitizer, in TSAN_OPTIONS.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fletcher::annotate {

/// Of several values the last counts.
std::optional<std::string> option_in(std::string_view options, std::string_view name);
std::optional<std::string> sanitizer_option(std::string_view name);

} // namespace fletcher::annotate
