// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What closing the gate (gate.hpp) cost the program: time in which a thread waited in front of it, and no more.
#pragma once

namespace fletcher::tool::gate {

/// The gate, when it was closed the last time, kept a thread from entering.
bool kept_out() noexcept;

} // namespace fletcher::tool::gate
