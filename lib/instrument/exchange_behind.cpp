// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/instrument/exchange_behind.hpp"

#include "lib/tool/process/instruction.hpp"
#include "lib/tool/process/peek.hpp"

#include <array>
#include <atomic>
#include <optional>

namespace fletcher::instrument {

namespace {

using tool::Instruction;
using tool::Registers;
using Does = Instruction::Does;

constexpr Registers rax = 1;
constexpr int far_enough = 32;  ///< instructions
constexpr int most_between = 6; ///< of an exchange and the branch that tries again

std::optional<Instruction> decode(Address at) noexcept {
  const auto code = tool::peek<tool::InstructionBytes>(at);
  return code ? tool::decode(*code) : std::nullopt;
}

/// The registers that hold the value of the load, and those that hold anything that was computed with it.
struct Followed {
  Registers value = rax, computed = rax;

  void pass(const Instruction& is) noexcept {
    const bool copies = is.does == Does::copy && (is.uses & ~value) == 0;
    const bool computes = (is.uses & computed) != 0 && is.does != Does::constant;
    value = copies ? value | is.sets : value & ~is.sets;
    computed = computes ? computed | is.sets : computed & ~is.sets;
  }
  void pass_call() noexcept {
    value &= tool::kept_by_calls;
    computed &= tool::kept_by_calls;
  }
};

/// As "lock cmpxchg" does: it compares with rax, and leaves there what it found.
bool is_exchange(const Instruction& is) noexcept {
  return is.locks && is.reads_memory && is.writes_memory && (is.sets & is.uses & rax) != 0;
}

bool is_of(const Instruction& is, Address next, Address object, std::size_t size) noexcept {
  if (is.width != size || is.from_rsp || is.from_rbp) return false;
  return is.addresses != 0 || next + static_cast<Address>(std::int64_t{is.displacement}) == object;
}

/// Behind the exchange, on every way that goes on at `at`, what was computed is overwritten before it is used. Of what
/// is in registers for arguments only what came there behind the exchange is taken for one.
bool goes_nowhere(Address at, Followed held, Registers set_since, bool flags, int& left) noexcept {
  for (; left > 0; --left) {
    if (held.computed == 0 && !flags) return true;
    const auto is = decode(at);
    if (!is) return false;
    at += is->length;
    const bool looks = (is->uses & held.computed) != 0;
    if (is->writes_memory && looks) return false;
    if ((is->addresses & held.computed) != 0 || (is->uses_flags && flags)) return false;
    switch (is->does) {
    case Does::call:
      if ((held.computed & set_since & tool::arguments_of_calls) != 0) return false;
      held.pass_call();
      flags = false;
      continue;
    case Does::leave:
      return (held.computed & tool::results) == 0;
    case Does::jump_to:
      return false;
    case Does::jump:
      at += static_cast<Address>(std::int64_t{is->distance});
      continue;
    case Does::branch:
      if (!goes_nowhere(at + static_cast<Address>(std::int64_t{is->distance}), held, set_since, flags, left))
        return false;
      continue;
    default:
      held.pass(*is);
      set_since |= is->sets;
      if (is->sets_flags) flags = looks;
    }
  }
  return false;
}

/// Behind the exchange that ends at `at`: the branch that tries again, then what goes on.
bool is_alone(Address at, Followed held) noexcept {
  held.computed |= rax;
  for (int i = 0; i < most_between; ++i) {
    const auto is = decode(at);
    if (!is || is->writes_memory) return false;
    if (is->does == Does::branch) {
      const auto code = tool::peek<std::array<std::uint8_t, 2>>(at);
      const bool unless_equal = code && ((*code)[0] == 0x75 || ((*code)[0] == 0x0f && (*code)[1] == 0x85));
      int left = far_enough;
      return unless_equal && goes_nowhere(at + is->length, held, 0, false, left);
    }
    if (is->does == Does::call || is->does == Does::jump || is->does == Does::jump_to || is->does == Does::leave)
      return false;
    held.pass(*is);
    at += is->length;
  }
  return false;
}

ExchangeBehind look(Address at, Address object, std::size_t size) noexcept {
  Followed held;
  for (int left = far_enough; left > 0 && held.value != 0; --left) {
    const auto is = decode(at);
    if (!is) return ExchangeBehind::none;
    at += is->length;
    switch (is->does) {
    case Does::branch:
    case Does::jump_to:
    case Does::leave:
      return ExchangeBehind::none;
    case Does::jump:
      at += static_cast<Address>(std::int64_t{is->distance});
      continue;
    case Does::call:
      held.pass_call();
      continue;
    default:
      break;
    }
    if (is_exchange(*is)) {
      if ((held.value & rax) == 0 || (is->addresses & held.computed) != 0 || !is_of(*is, at, object, size))
        return ExchangeBehind::none;
      return is_alone(at, held) ? ExchangeBehind::alone : ExchangeBehind::is_used;
    }
    held.pass(*is);
  }
  return ExchangeBehind::none;
}

/// Direct-mapped; a place, and in the top bits the answer.
std::array<std::atomic<std::uint64_t>, 1024> answers;
constexpr int answer_shift = 62;
constexpr std::uint64_t place = (std::uint64_t{1} << answer_shift) - 1;

} // namespace

ExchangeBehind exchange_behind(Address pc, Address object, std::size_t size) noexcept {
  std::atomic<std::uint64_t>& answer = answers[(pc ^ pc >> 10) % answers.size()];
  if (const std::uint64_t known = answer.load(std::memory_order_relaxed); (known & place) == pc)
    return static_cast<ExchangeBehind>(known >> answer_shift);
  const ExchangeBehind found = look(pc + 1, object, size);
  answer.store(pc | static_cast<std::uint64_t>(found) << answer_shift, std::memory_order_relaxed);
  return found;
}

} // namespace fletcher::instrument
