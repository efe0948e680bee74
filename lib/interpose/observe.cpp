// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/observe.hpp"

namespace fletcher::interpose::detail {

bool is_runtime(Address pc) noexcept { return modules::is_runtime(pc); }

} // namespace fletcher::interpose::detail
