// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that are only counted in: in regions nobody knows them but sections of locks that bring them up to date by
// their own values. What such a section finds there decides nothing before the region ends, so the order in which this
// run's sections came means nothing. Relies on locked_updates.hpp.
#pragma once

#include "lib/pass/doubts/locked_updates.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>

namespace fletcher::pass {

using CountingStores = llvm::SmallPtrSet<const llvm::Instruction*, 16>;

/// All stores in sections to such variables, as far as they are the module's own: static ones, and local ones of the
/// functions with a region. `sections`: all in the module that only update. Complexity: O(size of the module *
/// sections).
CountingStores counting_stores(llvm::Module& module, llvm::ArrayRef<SectionBody> sections);

/// The section writes nothing else.
bool only_counts(const SectionBody& section, const CountingStores& stores);

} // namespace fletcher::pass
