// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that dies of what it does itself, before anything was found: a race may have killed it before its second
// access. What a reader needs then is where that was, and in which task and region.
#pragma once

#include "checker/finding.hpp"

#include <signal.h>

#include <optional>

namespace fletcher::tool {

/// Called by the handler of a fatal signal. Nothing where somebody else sent the signal, where something was found,
/// outside of all regions and tasks, and where the signal interrupted the tool's own code, whose tables it may have
/// left half changed.
std::optional<Step> describe_death(int signal, const siginfo_t* info, const void* context);

/// Where the stack was destroyed, so that unwinding it is a fault itself: what was known until then.
std::optional<Step> unfinished_death();

} // namespace fletcher::tool
