// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of libraries that the program calls and of which a table (lib/effects) says what they do: for each a
// stub in front of it, which looks at the arguments and jumps on. So results, errors and exceptions are the library's
// own, whatever the function returns, and so are functions of that name that nobody led to a stub.
#pragma once

#include "checker/ids.hpp"
#include "lib/effects/arguments.hpp"
#include "lib/interpose/effects/unseen_calls.hpp"

#include <string>

namespace fletcher::interpose {

/// Of a function that no table knows, only `unseen` says something.
struct BoundCall {
  effects::Signature signature;
  std::string symbol; ///< by which the program calls it
  Unseen unseen = Unseen::nothing;
};

namespace bound_calls {

/// The stub's address; null where there is none left. The same for the same function. One thread at a time.
void* stub(const effects::Signature& signature, std::string_view symbol, void* real, Unseen unseen = Unseen::nothing);
bool is_stub(const void* code) noexcept;

} // namespace bound_calls
} // namespace fletcher::interpose
