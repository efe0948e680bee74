// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a module's code finds the addresses of the functions that it calls in other modules: looking there, and putting
// another one there.
#pragma once

#include "checker/ids.hpp"

#include <link.h>

namespace fletcher::interpose::slots {

/// PT_LOAD: the address is in the module. PT_GNU_RELRO: the linker made its page read-only when it had filled it.
bool is_in(const dl_phdr_info& module, unsigned kind, const void* address) noexcept;
/// An address in the module's code; 0 where it has none.
Address code_of(const dl_phdr_info& module) noexcept;

void* load(void** slot) noexcept;
void replace(const dl_phdr_info& module, void** slot, void* with) noexcept;
/// The same of the module that was loaded there.
void replace(Address module_base, void** slot, void* with) noexcept;

} // namespace fletcher::interpose::slots
