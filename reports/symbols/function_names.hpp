// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilers move the body of an OpenMP construct into a function of its own. This file finds the function that the user
// wrote behind such a name. Knows clang's, gcc's and gfortran's spellings.
#pragma once

#include "checker/finding.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace fletcher::reports {

/// What the compiler made a function of.
enum class Outlined : std::uint8_t { no, region, teams, task, reduction, target };

struct UserFunction {
  std::string name; ///< empty where the compiler's name does not say (clang's task bodies)
  Outlined outlined = Outlined::no;
};

UserFunction user_function(std::string_view compiler_name);

/// gfortran's "__sorting_MOD_merge" as "sorting::merge"; other names unchanged.
std::string fortran_module_name(std::string_view name);
/// "inner.0", as GCC calls what is defined within a function, as "inner". The number changes with others of the file:
/// no name to know a finding by.
std::string_view without_numbers(std::string_view name);

/// "main", "main (parallel region)", "solve (task)".
std::string shown_name(const UserFunction& function);

/// A long C++ name without its parameters, and without its template arguments if that is not enough:
/// "sort(std::vector<int>&, int)" as "sort(...)".
std::string short_name(const std::string& name);

/// The functions of OpenMP's runtimes, of this checker and of the C start-up code; not worth a line in a stack.
bool is_runtime_function(std::string_view name);
bool is_runtime_module(std::string_view path);

} // namespace fletcher::reports
