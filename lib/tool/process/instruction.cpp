// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By the opcode maps of Intel's manual, volume 2, appendix A.
#include "lib/tool/process/instruction.hpp"

#include <cstring>

namespace fletcher::tool {

#if defined(__x86_64__)

namespace {

using Does = Instruction::Does;

/// What stands before the operation.
struct Prefixes {
  std::size_t length = 0;
  bool operand_size = false, repeats = false; ///< 66; f2 or f3. Those of segments (2e, 64) only stand there
  unsigned rex = 0;
};

Prefixes prefixes(const InstructionBytes& code) noexcept {
  Prefixes found;
  constexpr std::size_t most = 6;
  for (; found.length < most; ++found.length) {
    const unsigned byte = code[found.length];
    if (byte == 0x66)
      found.operand_size = true;
    else if (byte == 0xf2 || byte == 0xf3)
      found.repeats = true;
    else if (byte != 0x2e && byte != 0x64)
      break;
  }
  if ((code[found.length] & 0xf0) == 0x40) found.rex = code[found.length++];
  return found;
}

constexpr Registers general(unsigned number) noexcept { return 1u << number; }
constexpr Registers rax = general(0), rcx = general(1), rdx = general(2);
constexpr Registers vector(unsigned number) noexcept { return 1u << (16 + number); }

/// ModRM, SIB and displacement.
struct Operands {
  std::size_t length = 0;
  bool memory = false;
  unsigned field = 0, reg = 0, rm = 0; ///< `field`: without its extension
  Registers addresses = 0;
  std::int32_t displacement = 0;
};

Operands operands(const std::uint8_t* code, unsigned rex) noexcept {
  Operands of;
  const unsigned mode = code[0] >> 6, low = code[0] & 7;
  of.field = code[0] >> 3 & 7;
  of.reg = of.field | (rex & 4) << 1;
  of.rm = low | (rex & 1) << 3;
  of.memory = mode != 3;
  of.length = 1;
  if (!of.memory) return of;
  const bool indexed = low == 4;
  const unsigned base = indexed ? code[1] & 7 : low;
  const bool no_base = mode == 0 && base == 5;
  if (!no_base) of.addresses |= general(base | (rex & 1) << 3);
  if (indexed) {
    ++of.length;
    const unsigned index = (code[1] >> 3 & 7) | (rex & 2) << 2;
    if (index != 4) of.addresses |= general(index);
  }
  if (mode == 1)
    of.displacement = static_cast<std::int8_t>(code[of.length]);
  else if (mode == 2 || no_base)
    std::memcpy(&of.displacement, code + of.length, sizeof of.displacement);
  of.length += mode == 1 ? 1 : mode == 2 || no_base ? 4 : 0;
  return of;
}

bool is_one_of(unsigned value, std::initializer_list<unsigned> values) noexcept {
  for (const unsigned one : values)
    if (one == value) return true;
  return false;
}

/// How an operation uses its operands.
struct Form {
  Does does = Does::other;
  bool vector = false; ///< the registers
  bool reads_rm = true, sets_rm = false;
  bool reads_reg = false, sets_reg = false;
  bool rm_general = false, reg_general = false; ///< though `vector`
  bool sets_flags = false, uses_flags = false, joins_bits = false;
  std::size_t constant = 0; ///< bytes behind the operands
};

/// Of the eight operations that have the same forms (add, or, adc, sbb, and, sub, xor, cmp).
Form arithmetic(unsigned operation, Form form) noexcept {
  form.sets_flags = true;
  form.joins_bits = is_one_of(operation, {1, 4});
  form.uses_flags = is_one_of(operation, {2, 3});
  if (operation == 7) form.sets_rm = form.sets_reg = false;
  return form;
}

std::optional<Form> one_byte(unsigned operation, unsigned field, const Prefixes& before) noexcept {
  const std::size_t word = before.operand_size ? 2 : 4;
  if (is_one_of(operation, {0x8a, 0x8b, 0x63})) return Form{.does = Does::load, .sets_reg = true};
  if (operation == 0x8d) return Form{.sets_reg = true};
  if (is_one_of(operation, {0x88, 0x89}))
    return Form{.does = Does::copy, .reads_rm = false, .sets_rm = true, .reads_reg = true};
  if (is_one_of(operation, {0x84, 0x85}))
    return Form{.reads_reg = true, .sets_flags = true, .joins_bits = true}; // test
  if (operation < 0x40 && (operation & 7) < 2) return arithmetic(operation >> 3, {.sets_rm = true, .reads_reg = true});
  if (operation < 0x40 && (operation & 7) < 4) return arithmetic(operation >> 3, {.reads_reg = true, .sets_reg = true});
  if (is_one_of(operation, {0x80, 0x81, 0x83}))
    return arithmetic(field, {.sets_rm = true, .constant = operation == 0x81 ? word : 1});
  if (is_one_of(operation, {0xf6, 0xf7}) && field < 2) // test
    return Form{.sets_flags = true, .constant = operation == 0xf6 ? 1 : word};
  if (is_one_of(operation, {0xc0, 0xc1})) return Form{.sets_rm = true, .sets_flags = true, .constant = 1};
  if (operation >= 0xd0 && operation < 0xd4) return Form{.sets_rm = true, .sets_flags = true};
  if (is_one_of(operation, {0xf6, 0xf7}) && field < 4)
    return Form{.sets_rm = true, .sets_flags = field == 3};                                              // not, neg
  if (is_one_of(operation, {0xf6, 0xf7})) return Form{.sets_flags = true};                               // mul, div
  if (is_one_of(operation, {0xfe, 0xff}) && field < 2) return Form{.sets_rm = true, .sets_flags = true}; // inc, dec
  if (operation == 0xff && field == 2) return Form{.does = Does::call};
  if (operation == 0xff && field == 4) return Form{.does = Does::jump_to};
  if (is_one_of(operation, {0x69, 0x6b}))
    return Form{.sets_reg = true, .sets_flags = true, .constant = operation == 0x69 ? word : 1};
  if (operation == 0xc7 && field == 0)
    return Form{.does = Does::constant, .reads_rm = false, .sets_rm = true, .constant = word};
  if (operation == 0xc6 && field == 0) return Form{.reads_rm = false, .sets_rm = true, .constant = 1};
  return std::nullopt;
}

std::optional<Form> two_bytes(unsigned operation, const Prefixes& before) noexcept {
  if (operation >= 0x40 && operation < 0x50)
    return Form{.does = Does::choice, .reads_reg = true, .sets_reg = true, .uses_flags = true};
  if (is_one_of(operation, {0xb6, 0xb7, 0xbe, 0xbf})) return Form{.does = Does::load, .sets_reg = true};
  if (operation == 0xaf) return Form{.reads_reg = true, .sets_reg = true, .sets_flags = true}; // imul
  if (is_one_of(operation, {0xbc, 0xbd}) || (operation == 0xb8 && before.repeats))             // counts bits
    return Form{.sets_reg = true, .sets_flags = true};
  if (is_one_of(operation, {0x1e, 0x1f})) return Form{.reads_rm = false}; // nop
  if (operation >= 0x90 && operation < 0xa0)
    return Form{.reads_rm = false, .sets_rm = true, .uses_flags = true}; // setcc
  if (is_one_of(operation, {0x10, 0x28, 0x6f}) || (operation == 0x7e && before.repeats))
    return Form{.does = Does::load, .vector = true, .sets_reg = true};
  if (is_one_of(operation, {0x11, 0x29, 0x7f, 0xd6}))
    return Form{.does = Does::copy, .vector = true, .reads_rm = false, .sets_rm = true, .reads_reg = true};
  if (operation == 0x6e) return Form{.does = Does::load, .vector = true, .sets_reg = true, .rm_general = true};
  if (operation == 0x7e)
    return Form{
        .does = Does::copy, .vector = true, .reads_rm = false, .sets_rm = true, .reads_reg = true, .rm_general = true};
  if (operation == 0x2a) return Form{.vector = true, .reads_reg = true, .sets_reg = true, .rm_general = true};
  if (is_one_of(operation, {0x2c, 0x2d, 0x50, 0xd7}))
    return Form{.vector = true, .sets_reg = true, .reg_general = true};
  if (is_one_of(operation, {0x2e, 0x2f})) return Form{.vector = true, .reads_reg = true, .sets_flags = true};
  if (is_one_of(operation, {0x54, 0x55, 0x56, 0xdb, 0xdf, 0xeb}))
    return Form{.vector = true, .reads_reg = true, .sets_reg = true, .joins_bits = true};
  if (is_one_of(operation, {0x70, 0xc2, 0xc6}))
    return Form{.vector = true, .reads_reg = true, .sets_reg = true, .constant = 1};
  if (is_one_of(operation, {0x71, 0x72, 0x73})) return Form{.vector = true, .sets_rm = true, .constant = 1};
  const bool computes = (operation >= 0x51 && operation < 0x6e) || (operation >= 0x74 && operation < 0x77) ||
                        (operation >= 0xd1 && operation != 0xd7 && operation != 0xe7 && operation != 0xf7);
  if (computes || is_one_of(operation, {0x12, 0x14, 0x15, 0x16}))
    return Form{.vector = true, .reads_reg = true, .sets_reg = true};
  return std::nullopt;
}

/// Those without operands in memory.
std::optional<Instruction> short_one(const InstructionBytes& code, const Prefixes& before) noexcept {
  const std::size_t at = before.length, word = before.operand_size ? 2 : 4;
  const unsigned operation = code[at], rex = before.rex;
  Instruction is;
  const auto distance = [&](std::size_t from, std::size_t size) {
    is.length = from + size;
    if (size == 1)
      is.distance = static_cast<std::int8_t>(code[from]);
    else
      std::memcpy(&is.distance, code.data() + from, size);
  };
  const unsigned low = (operation & 7) | (rex & 1) << 3;
  if ((operation & 0xf0) == 0x70 || operation == 0xeb) {
    is.does = operation == 0xeb ? Does::jump : Does::branch;
    is.uses_flags = operation != 0xeb;
    distance(at + 1, 1);
  } else if (operation == 0xe9 || operation == 0xe8) {
    is.does = operation == 0xe9 ? Does::jump : Does::call;
    distance(at + 1, 4);
  } else if (operation == 0x0f && (code[at + 1] & 0xf0) == 0x80) {
    is.does = Does::branch;
    is.uses_flags = true;
    distance(at + 2, 4);
  } else if (operation == 0xff && code[at + 1] == 0x15) {
    is.does = Does::call;
    is.length = at + 6;
  } else if ((operation & 0xf8) == 0xb8) {
    is.does = Does::constant;
    is.sets = general(low);
    is.length = at + 1 + ((rex & 8) != 0 ? 8 : word);
  } else if ((operation & 0xf8) == 0x50) { // push
    is.uses = general(low);
    is.stack_change = -8;
    is.length = at + 1;
  } else if (is_one_of(operation, {0x68, 0x6a})) { // push
    is.stack_change = -8;
    is.length = at + (operation == 0x68 ? 5 : 2);
  } else if ((operation & 0xf8) == 0x58) { // pop
    is.sets = general(low);
    is.stack_change = 8;
    is.length = at + 1;
  } else if (is_one_of(operation, {0x3c, 0x3d, 0xa8, 0xa9})) { // cmp, test: of rax
    is.uses = general(0);
    is.sets_flags = true;
    is.length = at + 1 + ((operation & 1) != 0 ? word : 1);
  } else if (operation < 0x3c && is_one_of(operation & 7, {4, 5})) { // computes with rax
    is.uses = is.sets = general(0);
    is.sets_flags = true;
    is.uses_flags = is_one_of(operation >> 3, {2, 3});
    is.length = at + 1 + ((operation & 1) != 0 ? word : 1);
  } else if (is_one_of(operation, {0x98, 0x99})) { // extends rax
    is.uses = general(0);
    is.sets = general(operation == 0x98 ? 0 : 2);
    is.length = at + 1;
  } else if (operation == 0x90) {
    is.length = at + 1;
  } else if (operation == 0xc3) {
    is.does = Does::leave;
    is.uses = results;
    is.length = at + 1;
  } else {
    return std::nullopt;
  }
  return is;
}

} // namespace

std::optional<Instruction> decode(const InstructionBytes& code) noexcept {
  const Prefixes before = prefixes(code);
  std::size_t at = before.length;
  if (const auto plain = short_one(code, before)) return plain;
  const bool longer = code[at] == 0x0f;
  const unsigned operation = longer ? code[at + 1] : code[at];
  at += longer ? 2 : 1;
  const Operands of = operands(code.data() + at, before.rex);
  const auto form = longer ? two_bytes(operation, before) : one_byte(operation, of.field, before);
  if (!form) return std::nullopt;
  Instruction is;
  is.does = form->does;
  is.length = at + of.length + form->constant;
  if (is.length > code.size()) return std::nullopt;
  const Registers reg = form->vector && !form->reg_general ? vector(of.reg) : general(of.reg);
  const Registers rm = of.memory ? 0 : form->vector && !form->rm_general ? vector(of.rm) : general(of.rm);
  is.sets = (form->sets_reg ? reg : 0) | (form->sets_rm ? rm : 0);
  is.uses = (form->reads_reg ? reg : 0) | (form->reads_rm ? rm : 0) | of.addresses;
  is.addresses = of.addresses;
  if (longer && is_one_of(operation, {0x1e, 0x1f})) is.uses = is.addresses = 0;
  if (!longer && is_one_of(operation, {0xf6, 0xf7}) && of.field > 3) {
    is.uses |= of.field < 6 ? rax : rax | rdx;
    is.sets |= rax | rdx;
  }
  if (!longer && is_one_of(operation, {0xd2, 0xd3})) is.uses |= rcx;
  const bool address_only = !longer && operation == 0x8d;
  is.reads_memory = of.memory && form->reads_rm && !address_only;
  is.writes_memory = of.memory && form->sets_rm;
  is.sets_flags = form->sets_flags;
  is.uses_flags = form->uses_flags;
  is.joins_bits = form->joins_bits && form->constant == 0;
  if (of.memory && of.addresses == stack_pointer) is.from_rsp = of.displacement;
  if (!longer && is_one_of(operation, {0x81, 0x83}) && rm == stack_pointer && is_one_of(of.field, {0, 5})) {
    std::int32_t change = static_cast<std::int8_t>(code[is.length - 1]);
    if (operation == 0x81) std::memcpy(&change, code.data() + is.length - sizeof change, sizeof change);
    is.stack_change = of.field == 0 ? change : -change;
  }
  if (is.does == Does::load && !of.memory) is.does = Does::copy;
  if ((is.does == Does::copy || is.does == Does::constant) && is.sets == 0) is.does = Does::other; // a store
  const bool is_cleared =
      rm == reg && (form->vector ? is_one_of(operation, {0x57, 0xef}) : operation == 0x31 || operation == 0x33);
  if (is_cleared) {
    is.does = Does::constant;
    is.uses = 0;
  }
  return is;
}

#else

std::optional<Instruction> decode(const InstructionBytes&) noexcept { return std::nullopt; }

#endif

} // namespace fletcher::tool
