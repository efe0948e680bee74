// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the interposed entry point of taskyield tells the OMPT layer. Apart from untied.hpp because interposers know
// nothing of OMPT.
#pragma once

namespace fletcher::ompt {

/// The running task's taskyield is over: the runtime has no event for that.
void end_taskyield();

} // namespace fletcher::ompt
