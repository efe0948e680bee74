// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where ThreadSanitizer's runtime judges the accesses, it hears from here what OpenMP orders. What one thread does is
// in order for it, so of two tasks that one thread executed it reports nothing.
#pragma once

#include "checker/events.hpp"

namespace fletcher::annotate {

/// Never destroyed. Null where the process has no ThreadSanitizer that can be told.
Listener* make_annotator();

} // namespace fletcher::annotate
