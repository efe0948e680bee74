// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that a module of the process shows, and where its code is.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace fletcher::interpose {

struct Extent {
  Address at;
  std::size_t size;
};
using Functions = std::map<std::string, Extent, std::less<>>;

struct Module {
  bool executable = false;
  Address code_begin = 0, code_end = 0; ///< whole pages
  Functions functions;                  ///< that it shows
};

/// The one whose code the address is in; empty where there is none.
Module module_around(Address code);

/// Leaves `function` as it is where the module has none of that name.
template <class Function> void find(const Module& module, std::string_view name, Function*& function) {
  if (const auto at = module.functions.find(name); at != module.functions.end())
    function = reinterpret_cast<Function*>(at->second.at);
}

} // namespace fletcher::interpose
