// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of one construct, as in a wavefront, that each name the element that they write, or the first one of a block:
// who reads names what it reads, too.
#pragma once

#include "reports/repair/source/directives/task_constructs.hpp"

#include <optional>

namespace fletcher::reports {

std::optional<Repair> elements_read(const Group& group, const TaskConstructs& tasks, Codes& codes);

} // namespace fletcher::reports
