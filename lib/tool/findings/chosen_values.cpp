// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/findings/chosen_values.hpp"

#include "lib/interpose/openmp/openmp_runtimes.hpp"
#include "lib/interpose/takeover/takeover.hpp"
#include "lib/tool/process/instruction.hpp"
#include "lib/tool/process/peek.hpp"

#include <link.h>

#include <algorithm>
#include <string_view>

namespace fletcher::tool {

namespace {

std::optional<Instruction> instruction_at(Address at) noexcept {
  const auto code = peek<InstructionBytes>(at);
  return code ? decode(*code) : std::nullopt;
}

/// What the branch at whose end `next` is goes around, where that is one instruction.
std::optional<Instruction> around(Address next, const Instruction& branch) noexcept {
  const auto only = instruction_at(next);
  return only && branch.distance == static_cast<std::int32_t>(only->length) ? only : std::nullopt;
}

/// It gives the register that holds the value another one, or copies the value.
bool replaces_or_copies(const Instruction& only, Registers value) noexcept {
  using Does = Instruction::Does;
  if (only.does == Does::copy && (only.uses & value) != 0) return true;
  const bool moves = only.does == Does::load || only.does == Does::copy || only.does == Does::constant;
  return moves && (only.sets & value) != 0 && (only.uses & value) == 0;
}

} // namespace

bool is_chosen_afterwards(Address at) noexcept {
  using Does = Instruction::Does;
  constexpr int far_enough = 24;
  Registers value = 0; // where the value is; nowhere before it is loaded
  for (int i = 0; i < far_enough; ++i) {
    const auto next = instruction_at(at);
    if (!next) return false;
    at += next->length;
    if (next->does == Does::jump) {
      at += static_cast<Address>(next->distance);
      continue;
    }
    if (value == 0) {
      if (next->does == Does::branch) {
        const auto only = around(at, *next);
        return only && only->does == Does::load;
      }
      if (next->does == Does::choice && next->reads_memory) return true;
      if (next->does == Does::load) {
        value = next->sets;
        continue;
      }
      if (next->reads_memory || next->does == Does::call) return false;
      continue;
    }
    switch (next->does) {
    case Does::branch: {
      const auto only = around(at, *next);
      return only && replaces_or_copies(*only, value);
    }
    case Does::choice:
      if (((next->uses | next->sets) & value) != 0 && (next->addresses & value) == 0) return true;
      break;
    case Does::copy:
      value = (next->uses & value) != 0 ? value | next->sets : value & ~next->sets;
      break;
    case Does::call:
      value &= kept_by_calls;
      break;
    default:
      if ((next->uses & value) != 0) return false;
      value &= ~next->sets;
    }
    if (value == 0) return false;
  }
  return false;
}

/// Or what stands in for it (preloads.cpp).
bool has_gccs_sanitizer() noexcept {
  return dl_iterate_phdr(
             [](dl_phdr_info* module, std::size_t, void*) {
               return std::string_view(interpose::file_name(*module)).starts_with("libtsan.so") ? 1 : 0;
             },
             nullptr) != 0;
}

bool is_code_of_sanitizer() noexcept { return interpose::shadow_bits_after_takeover() != 0 || has_gccs_sanitizer(); }

bool may_be_unread(const Finding& finding) noexcept {
  return finding.rule == Rule::data_race && std::ranges::any_of(finding.accesses, [](const AccessDescription& access) {
           return access.type == AccessType::read && access.function.empty() && !access.stack.empty() &&
                  is_chosen_afterwards(access.stack.front() + 1);
         });
}

} // namespace fletcher::tool
