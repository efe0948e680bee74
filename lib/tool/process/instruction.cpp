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
  bool operand_size = false, repeats = false; ///< 66; f2 or f3. Those of segments and locks only stand there
  bool scalar_double = false;                 ///< f2
  bool locks = false;                         ///< f0
  unsigned rex = 0;
};

Prefixes prefixes(const InstructionBytes& code) noexcept {
  Prefixes found;
  constexpr std::size_t most = 7; // before a "nop" of full length
  for (; found.length < most; ++found.length) {
    const unsigned byte = code[found.length];
    if (byte == 0x66)
      found.operand_size = true;
    else if (byte == 0xf2 || byte == 0xf3) {
      found.repeats = true;
      found.scalar_double = byte == 0xf2;
    } else if (byte == 0xf0)
      found.locks = true;
    else if (byte != 0x2e && byte != 0x3e && byte != 0x64)
      break;
  }
  if (found.length < most && (code[found.length] & 0xf0) == 0x40) found.rex = code[found.length++];
  return found;
}

constexpr Registers general(unsigned number) noexcept { return 1u << number; }
constexpr Registers rax = general(0), rcx = general(1), rdx = general(2), rsi = general(6), rdi = general(7);
constexpr Registers vector(unsigned number) noexcept { return 1u << (16 + number); }

/// ModRM, SIB and displacement.
struct Operands {
  std::size_t length = 0;
  bool memory = false, indexed = false;
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
    of.indexed = index != 4;
    if (of.indexed) of.addresses |= general(index);
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
  Registers also = 0;       ///< read besides
  Registers also_sets = 0;
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
    return Form{.sets_rm = true, .sets_flags = field == 3};                                                  // not, neg
  if (is_one_of(operation, {0xf6, 0xf7})) return Form{.sets_flags = true};                                   // mul, div
  if (is_one_of(operation, {0xfe, 0xff}) && field < 2) return Form{.sets_rm = true, .sets_flags = true};     // inc, dec
  if (is_one_of(operation, {0x86, 0x87})) return Form{.sets_rm = true, .reads_reg = true, .sets_reg = true}; // xchg
  if (operation == 0xff && field == 2) return Form{.does = Does::call};
  if (operation == 0xff && field == 4) return Form{.does = Does::jump_to};
  if (operation == 0xff && field == 6) return Form{}; // push
  if (is_one_of(operation, {0x69, 0x6b}))
    return Form{.sets_reg = true, .sets_flags = true, .constant = operation == 0x69 ? word : 1};
  if (operation == 0xc7 && field == 0)
    return Form{.does = Does::constant, .reads_rm = false, .sets_rm = true, .constant = word};
  if (operation == 0xc6 && field == 0) return Form{.reads_rm = false, .sets_rm = true, .constant = 1};
  return std::nullopt;
}

std::optional<Form> two_bytes(unsigned operation, unsigned field, const Prefixes& before) noexcept {
  if (operation >= 0x40 && operation < 0x50)
    return Form{.does = Does::choice, .reads_reg = true, .sets_reg = true, .uses_flags = true};
  if (is_one_of(operation, {0xb6, 0xb7, 0xbe, 0xbf})) return Form{.does = Does::load, .sets_reg = true};
  if (operation == 0xaf) return Form{.reads_reg = true, .sets_reg = true, .sets_flags = true}; // imul
  if (is_one_of(operation, {0xbc, 0xbd}) || (operation == 0xb8 && before.repeats))             // counts bits
    return Form{.sets_reg = true, .sets_flags = true};
  if (is_one_of(operation, {0x0d, 0x18, 0x1e, 0x1f, 0xae})) return Form{.reads_rm = false}; // nop, prefetch, fence
  if (operation == 0xa3) return Form{.reads_reg = true, .sets_flags = true};                // bt
  if (is_one_of(operation, {0xab, 0xb3, 0xbb})) return Form{.sets_rm = true, .reads_reg = true, .sets_flags = true};
  if (operation == 0xba) return Form{.sets_rm = field > 4, .sets_flags = true, .constant = 1};
  if (is_one_of(operation, {0xa4, 0xac, 0xa5, 0xad})) // shld, shrd
    return Form{.sets_rm = true,
                .reads_reg = true,
                .sets_flags = true,
                .constant = operation & 1 ? 0u : 1u,
                .also = operation & 1 ? rcx : 0};
  if (is_one_of(operation, {0xb0, 0xb1})) // cmpxchg
    return Form{.sets_rm = true, .reads_reg = true, .sets_flags = true, .also = rax, .also_sets = rax};
  if (is_one_of(operation, {0xc0, 0xc1}))
    return Form{.sets_rm = true, .reads_reg = true, .sets_reg = true, .sets_flags = true}; // xadd
  if (operation == 0xc3) return Form{.does = Does::copy, .reads_rm = false, .sets_rm = true, .reads_reg = true};
  if (operation == 0xc4)
    return Form{.vector = true, .reads_reg = true, .sets_reg = true, .rm_general = true, .constant = 1};
  if (operation == 0xc5) return Form{.vector = true, .sets_reg = true, .reg_general = true, .constant = 1};
  if (operation >= 0x90 && operation < 0xa0)
    return Form{.reads_rm = false, .sets_rm = true, .uses_flags = true}; // setcc
  if (is_one_of(operation, {0x10, 0x28, 0x6f}) || (operation == 0x7e && before.repeats))
    return Form{.does = Does::load, .vector = true, .sets_reg = true};
  if (is_one_of(operation, {0x11, 0x13, 0x17, 0x29, 0x2b, 0x7f, 0xd6, 0xe7}))
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

/// Bytes of its operand in memory.
std::uint8_t width(unsigned operation, bool longer, const Form& form, const Prefixes& before) noexcept {
  const bool wide = (before.rex & 8) != 0;
  const std::uint8_t whole = wide ? 8 : before.operand_size ? 2 : 4;
  if (form.does == Does::call || form.does == Does::jump_to) return 8;
  if (!longer) {
    if (operation == 0x63) return 4;
    if (operation == 0xff && form.does == Does::other && !form.sets_rm) return 8; // push
    const bool of_bytes = (operation < 0x40 && (operation & 1) == 0) ||
                          is_one_of(operation, {0x80, 0x84, 0x86, 0x88, 0x8a, 0xc0, 0xc6, 0xd0, 0xd2, 0xf6, 0xfe});
    return of_bytes ? 1 : whole;
  }
  if (is_one_of(operation, {0xb0, 0xb6, 0xbe, 0xc0}) || (operation & 0xf0) == 0x90) return 1;
  if (is_one_of(operation, {0xb7, 0xbf, 0xc4})) return 2;
  if (!form.vector) return whole;
  if (form.rm_general) return wide ? 8 : 4;
  if (operation == 0x7e || is_one_of(operation, {0xd6, 0x12, 0x13, 0x16, 0x17})) return 8;
  if (is_one_of(operation, {0x2e, 0x2f})) return before.operand_size ? 8 : 4;
  if (is_one_of(operation, {0x6f, 0x7f, 0x70}) || !before.repeats) return 16;
  return before.scalar_double || operation == 0xe6 ? 8 : 4;
}

/// In eight bits, without REX, the numbers 4 to 7 are ah to bh.
bool has_high_bytes(unsigned operation, bool longer, bool of_rm) noexcept {
  if (longer)
    return is_one_of(operation, {0xb0, 0xc0}) ||
           (of_rm && (is_one_of(operation, {0xb6, 0xbe}) || (operation & 0xf0) == 0x90));
  return (operation < 0x40 && (operation & 1) == 0) ||
         is_one_of(operation, {0x80, 0x84, 0x86, 0x88, 0x8a, 0xc0, 0xc6, 0xd0, 0xd2, 0xf6, 0xfe});
}

/// Those without operands in memory, and those on strings.
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
    std::memcpy(&is.displacement, code.data() + at + 2, sizeof is.displacement);
    is.reads_memory = true;
  } else if ((operation & 0xf8) == 0xb8) {
    is.does = Does::constant;
    is.sets = general(low);
    const std::size_t size = (rex & 8) != 0 ? 8 : word;
    is.length = at + 1 + size;
    std::memcpy(&is.constant, code.data() + at + 1, size);
  } else if ((operation & 0xf8) == 0xb0) {
    is.does = Does::constant;
    is.sets = general(rex == 0 ? operation & 3 : low);
    is.length = at + 2;
    is.constant = code[at + 1];
  } else if (operation == 0x0f && (code[at + 1] & 0xf8) == 0xc8) { // bswap
    is.uses = is.sets = general((code[at + 1] & 7) | (rex & 1) << 3);
    is.length = at + 2;
  } else if (is_one_of(operation, {0xa4, 0xa5, 0xaa, 0xab})) { // movs, stos
    is.addresses = operation < 0xa8 ? rdi | rsi : rdi;
    is.sets = is.addresses | (before.repeats ? rcx : 0);
    is.uses = is.sets | (operation < 0xa8 ? 0 : rax);
    is.reads_memory = operation < 0xa8;
    is.writes_memory = true;
    is.length = at + 1;
  } else if (operation == 0xc9) { // leave
    is.uses = frame_pointer;
    is.sets = stack_pointer | frame_pointer;
    is.length = at + 1;
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
  const auto form = longer ? two_bytes(operation, of.field, before) : one_byte(operation, of.field, before);
  if (!form) return std::nullopt;
  Instruction is;
  is.does = form->does;
  is.length = at + of.length + form->constant;
  if (is.length > code.size()) return std::nullopt;
  const auto general_of = [&](unsigned number, bool is_rm) {
    const bool high = before.rex == 0 && number >= 4 && has_high_bytes(operation, longer, is_rm);
    return general(high ? number - 4 : number);
  };
  const Registers reg = form->vector && !form->reg_general ? vector(of.reg) : general_of(of.reg, false);
  const Registers rm = of.memory ? 0 : form->vector && !form->rm_general ? vector(of.rm) : general_of(of.rm, true);
  is.sets = (form->sets_reg ? reg : 0) | (form->sets_rm ? rm : 0) | form->also_sets;
  is.uses = (form->reads_reg ? reg : 0) | (form->reads_rm ? rm : 0) | of.addresses | form->also;
  is.addresses = of.addresses;
  is.width = of.memory ? width(operation, longer, *form, before) : 0;
  if (longer && is_one_of(operation, {0x0d, 0x18, 0x1e, 0x1f, 0xae})) is.uses = is.addresses = 0;
  if (!longer && is_one_of(operation, {0xf6, 0xf7}) && of.field > 3) {
    is.uses |= of.field < 6 ? rax : rax | rdx;
    is.sets |= rax | rdx;
  }
  if (!longer && is_one_of(operation, {0xd2, 0xd3})) is.uses |= rcx;
  is.locks = before.locks;
  is.takes_address = !longer && operation == 0x8d;
  is.reads_memory = of.memory && form->reads_rm && !is.takes_address;
  is.writes_memory = of.memory && form->sets_rm;
  is.sets_flags = form->sets_flags;
  is.uses_flags = form->uses_flags;
  is.joins_bits = form->joins_bits && form->constant == 0;
  if (of.memory && of.addresses == stack_pointer) is.from_rsp = of.displacement;
  if (of.memory && of.addresses == frame_pointer && !of.indexed) is.from_rbp = of.displacement;
  is.displacement = of.displacement;
  if (!longer && operation == 0xff && of.field == 6) is.stack_change = -8;
  is.keeps_rest = !longer && rm != 0 && (before.operand_size || has_high_bytes(operation, longer, true));
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
  } else if (is.does == Does::constant || (!longer && is_one_of(operation, {0xc6, 0xc7}))) {
    for (std::size_t i = 0; i < form->constant; ++i)
      is.constant |= std::int64_t{code[is.length - form->constant + i]} << (8 * i);
  }
  return is;
}

#else

std::optional<Instruction> decode(const InstructionBytes&) noexcept { return std::nullopt; }

#endif

} // namespace fletcher::tool
