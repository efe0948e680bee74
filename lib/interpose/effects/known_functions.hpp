// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of which something is known: the user's tables first, then Fletcher's own.
#pragma once

#include "lib/effects/forms.hpp"

namespace fletcher::interpose {

std::optional<effects::Known> find_known(std::string_view symbol) noexcept;

} // namespace fletcher::interpose
