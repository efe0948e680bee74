// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/carried/callee_arguments.hpp"

#include "lib/tool/process/peek.hpp"

#include <map>
#include <utility>
#include <vector>

namespace fletcher::tool::carried {

// Instrumented functions call the library at once: what they need later they have saved by then.
Registers arguments_read_by(Address function, const NameOf& name_of) {
  using Does = Instruction::Does;
  constexpr std::size_t far_enough = 300;
  std::map<Address, Registers> seen; ///< not set on the way
  std::vector<std::pair<Address, Registers>> open{{function, arguments_of_calls}};
  Registers read = 0;
  for (std::size_t steps = 0; !open.empty(); ++steps) {
    auto [at, left] = open.back();
    open.pop_back();
    Registers& before = seen[at];
    if ((left & ~before) == 0) continue;
    before |= left;
    const auto bytes = peek<InstructionBytes>(at);
    const auto is = bytes ? decode(*bytes) : std::nullopt;
    if (!is || steps > far_enough) return arguments_of_calls;
    const Address next = at + is->length, elsewhere = next + static_cast<Address>(std::int64_t{is->distance});
    if (is->does == Does::leave) continue;
    read |= is->uses & left;
    left &= ~is->sets;
    switch (is->does) {
    case Does::call: {
      const bool direct = !is->reads_memory && is->uses == 0;
      const Call call = direct ? call_of(name_of(elsewhere, false)) : Call::unknown;
      read |= call == Call::quiet ? 0 : call == Call::accesses ? left & first_argument : left;
      break;
    }
    case Does::jump_to:
      return arguments_of_calls;
    case Does::branch:
      open.emplace_back(elsewhere, left);
      open.emplace_back(next, left);
      break;
    case Does::jump:
      open.emplace_back(elsewhere, left);
      break;
    default:
      open.emplace_back(next, left);
    }
  }
  return read;
}

} // namespace fletcher::tool::carried
