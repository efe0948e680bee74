// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/ompt/quirks/gathering.hpp"

#include "lib/ompt/local.hpp"

#include <utility>

namespace fletcher::ompt {

Gathering begin_gathering(Address pc) noexcept { return std::exchange(gathering, {local.frame, pc}); }
TaskModifier begin_task_modifier() noexcept { return std::exchange(task_modifier, {local.frame}); }

} // namespace fletcher::ompt
