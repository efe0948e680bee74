// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of accesses by a library's function: not of its code, but of what it does with one argument of one size, so
// that a finding can say that.
#pragma once

#include "checker/finding.hpp"
#include "lib/effects/extent.hpp"
#include "lib/interpose/effects/bound_calls.hpp"

namespace fletcher::interpose::argument_uses {

/// The same for the same call, argument (`parameter`, of the function or of the one that made its plan) and size. Of
/// functions that are called with very many sizes, the later ones have one place without a size. O(1), mostly without a
/// lock.
Address place(const BoundCall& call, const effects::Parameter& parameter, const effects::Extent& extent);

/// Puts words where a finding has such places.
void tell(Finding& finding);

} // namespace fletcher::interpose::argument_uses
