// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the program's own functions as they stand on a line, and the parameters that they set.
#pragma once

#include "reports/repair/source/code.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

/// An argument of a call, and where it stands in its line.
struct Argument {
  std::string text;
  std::size_t column = 0;
};

/// Of the only call of the function on a line; empty where it is not all there.
std::vector<Argument> arguments_of(std::string_view line, std::string_view function);
/// The last word of each parameter, as the head of a function declares them.
std::vector<std::string> parameters_of(const Code& code, const Extent& body, std::string_view function);
/// A piece of code with other texts for names, where they are no members of something.
std::string with_names(std::string_view text, const std::map<std::string, std::string>& names);
/// "f" of "(anonymous namespace)::f(...)".
std::string_view plain_name(std::string_view function);

} // namespace fletcher::reports
