// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a thread carries something from one unit of work to a later one in registers or on its stack, where no
// instrumentation shows it, by which it may know what it did before: that leads to an address, decides a branch, or is
// given to somebody. What only goes round, as a sum does, is nothing of the kind. Read from machine code, in which the
// compiler's plugin has said nothing of it: gcc's, and clang's of stock builds.
//
// A value is *fresh* that depends on which unit the thread has, and *carried* once a further unit has begun. A value
// depends on a branch, too, if ways join on which it is another one.
#pragma once

#include "lib/tool/carried/code_blocks.hpp"

#include <set>

namespace fletcher::tool::carried {

/// Of a function's constructs, by the addresses that the calls return to which begin them, those in which the thread
/// may know itself by such a value. With 0 for the construct that a function begins in that is a region's body
/// (`parallel for`).
struct Doubts {
  bool of_all = false; ///< not all of the code is known
  std::set<Address> constructs;
  bool has(Address construct) const { return of_all || constructs.contains(construct); }
};

/// `nested`: what blocks_of() says; then also of that call.
Doubts doubts_of(FunctionExtent function, const NameOf& name_of, Address nested = 0);

/// What the call that returns there is always given first: the body of a region. 0 where that is not known.
Address first_argument(FunctionExtent function, const NameOf& name_of, Address return_address);

} // namespace fletcher::tool::carried
