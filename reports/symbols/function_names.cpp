// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of outlined functions as observed: clang 14-19 (main.omp_outlined, main.omp_outlined_debug__, .omp_outlined.,
// .omp_task_entry., "f() (.omp_outlined)"), gcc and gfortran 12 (main._omp_fn.0, "f() (._omp_fn.0)").
#include "reports/symbols/function_names.hpp"

#include <algorithm>
#include <array>

namespace fletcher::reports {
namespace {

struct Mark {
  std::string_view text;
  Outlined meaning;
};

/// Where the user's name ends. Reductions first: their marks follow another mark.
constexpr std::array marks{
    Mark{".omp.reduction.", Outlined::reduction}, Mark{".omp_combiner.", Outlined::reduction},
    Mark{".omp_task_entry", Outlined::task},      Mark{".omp_task", Outlined::task},
    Mark{".omp_outlined", Outlined::region},      Mark{"._omp_fn.", Outlined::region},
    Mark{"._omp_cpyfn.", Outlined::task},
};

/// Copies that optimisers make of a function, "solve.constprop.0".
constexpr std::array<std::string_view, 6> copies{".constprop.", ".isra.", ".part.", ".cold", ".lto_priv.", ".llvm."};

std::string_view until(std::string_view name, std::size_t position) {
  name = name.substr(0, position);
  // Demanglers put a mark into brackets: "f(int) (.omp_outlined)", "f(int) [clone ._omp_fn.0]".
  for (const std::string_view open : {" (", " [clone "})
    if (name.ends_with(open)) name.remove_suffix(open.size());
  return name;
}

/// __omp_offloading_<device>_<file>_<function>_l<line>
std::string_view target_function(std::string_view name) {
  for (int field = 0; field < 2; ++field) {
    const auto next = name.find('_');
    if (next == std::string_view::npos) return name;
    name.remove_prefix(next + 1);
  }
  return name.substr(0, name.rfind("_l"));
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace

std::string fortran_module_name(std::string_view name) {
  constexpr std::string_view mark = "_MOD_";
  const auto position = name.find(mark);
  if (!name.starts_with("__") || position == std::string_view::npos || position <= 2) return std::string(name);
  return std::string(name.substr(2, position - 2)) + "::" + std::string(name.substr(position + mark.size()));
}

std::string_view without_numbers(std::string_view name) {
  for (auto dot = name.rfind('.'); dot != std::string_view::npos && dot != 0 && is_number(name.substr(dot + 1));
       dot = name.rfind('.'))
    name = name.substr(0, dot);
  return name;
}

UserFunction user_function(std::string_view name) {
  UserFunction out;
  if (constexpr std::string_view offload = "__omp_offloading_"; name.starts_with(offload)) {
    out.outlined = Outlined::target;
    name = target_function(name.substr(offload.size()));
  }
  std::size_t first = std::string_view::npos;
  for (const Mark& mark : marks) {
    const auto position = name.find(mark.text);
    if (position == std::string_view::npos) continue;
    if (out.outlined == Outlined::no) out.outlined = mark.meaning;
    first = std::min(first, position);
  }
  if (first != std::string_view::npos) name = until(name, first);
  for (const auto copy : copies)
    if (const auto position = name.find(copy); position != std::string_view::npos && position != 0)
      name = until(name, position);
  name = without_numbers(name);
  out.name = name == "MAIN__" ? "the main program" : fortran_module_name(name);
  return out;
}

std::string shown_name(const UserFunction& function) {
  const auto with = [&](std::string_view role) {
    return function.name.empty() ? "a " + std::string(role) : function.name + " (" + std::string(role) + ")";
  };
  switch (function.outlined) {
  case Outlined::no:
    return function.name;
  case Outlined::region:
    return with("parallel region");
  case Outlined::teams:
    return with("teams region");
  case Outlined::task:
    return with("task");
  case Outlined::reduction:
    return with("reduction");
  case Outlined::target:
    return with("target region");
  }
  return function.name;
}

std::string short_name(const std::string& name) {
  constexpr std::size_t enough = 60;
  // Cuts what stands between the outermost pairs of brackets; "(anonymous namespace)" and operators stay.
  const auto without = [](const std::string& text, char open, char close) {
    std::string out;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::string_view rest = std::string_view(text).substr(i);
      for (const std::string_view word : {"(anonymous namespace)", "operator()", "operator<=>", "operator<<",
                                          "operator>>", "operator->", "operator<", "operator>"})
        if (depth == 0 && rest.starts_with(word)) {
          out += word;
          i += word.size();
          break;
        }
      if (i >= text.size()) break;
      if (text[i] == close && depth > 0 && --depth == 0)
        out += std::string(text[i - 1] == open ? "" : "...") + close;
      else if (text[i] == open && depth++ == 0)
        out += open;
      else if (depth == 0)
        out += text[i];
    }
    return out;
  };
  if (name.size() <= enough) return name;
  const std::string plain = without(name, '(', ')');
  return plain.size() <= enough ? plain : without(plain, '<', '>');
}

bool is_runtime_function(std::string_view name) {
  constexpr std::array<std::string_view, 7> prefixes{"__tsan_",    "__kmp",         "GOMP_",         "GOACC_",
                                                     "fletcher::", "__libc_start_", "__interceptor_"};
  constexpr std::array<std::string_view, 5> whole{"_start", "start_thread", "clone", "__clone", "clone3"};
  for (const auto candidate : whole)
    if (name == candidate) return true;
  for (const auto prefix : prefixes)
    if (name.starts_with(prefix)) return true;
  return false;
}

bool is_runtime_module(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  constexpr std::array<std::string_view, 10> prefixes{"libfletcher", "libomp", "libiomp",  "libgomp",    "libarcher",
                                                      "libc.so",     "libc-",  "ld-linux", "libpthread", "libtsan"};
  for (const auto prefix : prefixes)
    if (file.starts_with(prefix)) return true;
  return false;
}

} // namespace fletcher::reports
