// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names as observed: clang 14-19 (main.counter, main.counter.1), gcc and gfortran 12 (counter.0, counter.0.lto_priv.0),
// Cython
// (__pyx_v_counter).
#include "reports/symbols/variable_names.hpp"

#include "reports/symbols/function_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace fletcher::reports {
namespace {

/// What link-time optimisation appends to a variable that another file's has to be distinguished from.
constexpr std::array<std::string_view, 2> copies{".lto_priv.", ".llvm."};

bool in_symbol(unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '$' || c == '.'; }

/// "counts" of "counts[abi:cxx11]": which library's strings it is made of is no part of its name.
std::string without_abi(std::string_view symbol) {
  constexpr std::string_view tag = "[abi:";
  std::string out(symbol);
  for (std::size_t begin; (begin = out.find(tag)) != std::string::npos;) {
    const auto end = out.find(']', begin);
    if (end == std::string::npos) break;
    out.erase(begin, end + 1 - begin);
  }
  return out;
}

} // namespace

std::string user_variable(std::string_view tagged) {
  const std::string symbol = without_abi(tagged);
  std::string_view name = symbol;
  if (name.starts_with('.') || !std::all_of(name.begin(), name.end(), in_symbol)) return symbol;
  for (const std::string_view copy : copies) name = name.substr(0, name.find(copy));
  name = without_numbers(name);
  name = name.substr(name.rfind('.') + 1); // npos + 1 is the beginning
  if (constexpr std::string_view cython = "__pyx_v_"; name.starts_with(cython)) name.remove_prefix(cython.size());
  return name.empty() ? symbol : fortran_module_name(name);
}

std::string critical_name(std::string_view symbol) {
  constexpr std::string_view before = ".gomp_critical_user_", behind = ".var"; // clang's
  if (!symbol.starts_with(before)) return {};
  symbol.remove_prefix(before.size());
  if (symbol.ends_with(behind)) symbol.remove_suffix(behind.size());
  return std::string(symbol);
}

} // namespace fletcher::reports
