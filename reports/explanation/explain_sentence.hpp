// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sentence that says what a race is, and a lock as it reads in one.
#pragma once

#include "reports/explanation/explain.hpp"

namespace fletcher::reports {

/// Of two accesses, the leading one first.
std::string race_sentence(const Finding& finding, const std::vector<Side>& sides, const Object& object,
                          const SourceText& sources);
/// "lock 'queue_lock'"; `finding` knows the stack variables.
std::string lock_words(const Mutex& mutex, const SourcePlace& taken, const Finding& finding, const SymbolTable& symbols,
                       SourceText& sources);

} // namespace fletcher::reports
