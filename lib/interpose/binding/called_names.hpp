// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of the functions that a module's code calls, for those who read that code.
#pragma once

#include "checker/ids.hpp"

#include <map>
#include <string_view>

namespace fletcher::interpose {

class CalledNames {
public:
  /// Of the module that holds `code`. O(its relocations).
  explicit CalledNames(Address code);

  /// The function at `at`, or of which there is the address; empty where it has no name.
  std::string_view operator()(Address at, bool is_slot) const;
  /// The one that the call before `return_address` goes to.
  std::string_view of_call(Address return_address) const;

private:
  std::map<Address, const char*> slots_; ///< their contents are no help before the first call
};

} // namespace fletcher::interpose
