// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/takeover/moved_beginnings.hpp"

#include "lib/interpose/takeover/code_jumps.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string_view>

namespace fletcher::interpose {

#if defined(__x86_64__)

namespace {

constexpr std::size_t longest_instruction = 15;
constexpr unsigned char jump_to_next_word[] = {0xff, 0x25, 0, 0, 0, 0}; ///< jmp *0(%rip)
constexpr std::size_t place_size = 48;                                  ///< a beginning, that jump, and the address
static_assert(jump_size - 1 + longest_instruction + sizeof jump_to_next_word + sizeof(Address) <= place_size);

/// ModRM, SIB and displacement. 0: relative to the instruction.
std::size_t operand_length(const unsigned char* code) noexcept {
  const unsigned mode = code[0] >> 6, base = code[0] & 7;
  if (mode == 3) return 1;
  if (mode == 0 && base == 5) return 0;
  const bool indexed = base == 4;
  const std::size_t displacement = mode == 1 ? 1 : mode == 2 || (indexed && (code[1] & 7) == 5) ? 4 : 0;
  return 1 + (indexed ? 1 : 0) + displacement;
}

/// Of those instructions that compilers begin functions with. 0: another one.
std::size_t instruction_length(const unsigned char* code) noexcept {
  constexpr std::string_view marker("\xf3\x0f\x1e\xfa"); // endbr64
  if (std::memcmp(code, marker.data(), marker.size()) == 0) return marker.size();
  std::size_t at = code[0] == 0x64 ? 1 : 0; // relative to %fs
  const unsigned prefix = (code[at] & 0xf0) == 0x40 ? code[at++] : 0;
  const bool wide = (prefix & 8) != 0;
  const unsigned operation = code[at++];
  if (operation >= 0x50 && operation < 0x60) return at;                  // push, pop
  if (operation >= 0xb8 && operation < 0xc0) return at + (wide ? 8 : 4); // mov constant
  constexpr std::string_view plain("\x31\x33\x39\x3b\x85\x89\x8b\x8d");  // xor, cmp, test, mov, lea
  constexpr unsigned with_byte = 0x83, with_word = 0x81, move_word = 0xc7;
  std::size_t constant = 0;
  if (operation == with_byte)
    constant = 1;
  else if (operation == with_word || operation == move_word)
    constant = 4;
  else if (plain.find(static_cast<char>(operation)) == std::string_view::npos)
    return 0;
  const std::size_t operand = operand_length(code + at);
  return operand == 0 ? 0 : at + operand + constant;
}

/// How many bytes the instructions take that a jump at this place touches. 0: one of them is not known to do the same
/// elsewhere.
std::size_t beginning_length(const unsigned char* code) noexcept {
  std::size_t length = 0;
  while (length < jump_size) {
    const std::size_t next = instruction_length(code + length);
    if (next == 0) return 0;
    length += next;
  }
  return length;
}

} // namespace

std::vector<Address> move_beginnings(std::span<const Address> functions) {
  std::vector<Address> moved;
  const std::size_t size = functions.size() * place_size;
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return moved;
  auto* place = static_cast<unsigned char*>(memory);
  for (const Address function : functions) {
    const auto* const code = reinterpret_cast<const unsigned char*>(function);
    const std::size_t length = beginning_length(code);
    if (length == 0) break;
    const Address rest = function + length;
    std::memcpy(place, code, length);
    std::memcpy(place + length, jump_to_next_word, sizeof jump_to_next_word);
    std::memcpy(place + length + sizeof jump_to_next_word, &rest, sizeof rest);
    moved.push_back(reinterpret_cast<Address>(place));
    place += place_size;
  }
  if (moved.size() == functions.size() && syscall(SYS_mprotect, memory, size, PROT_READ | PROT_EXEC) == 0) return moved;
  munmap(memory, size);
  return {};
}

#else

std::vector<Address> move_beginnings(std::span<const Address>) { return {}; }

#endif

} // namespace fletcher::interpose
