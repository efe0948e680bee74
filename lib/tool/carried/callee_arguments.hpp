// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which registers a function may find arguments in: what it reads, or hands on, before it sets it. What else stands
// there when it is called is left over.
#pragma once

#include "lib/tool/carried/code_blocks.hpp"

namespace fletcher::tool::carried {

/// A part of `arguments_of_calls`; all of them where the code is not known.
Registers arguments_read_by(Address function, const NameOf& name_of);

} // namespace fletcher::tool::carried
