// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/takeover/code_jumps.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace fletcher::interpose {

#if defined(__x86_64__)

namespace {

/// jmp *0(%rip), and the address.
constexpr std::size_t stub_size = 16;
void write_stub(std::byte* stub, const void* to) noexcept {
  constexpr unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};
  std::memcpy(stub, jump, sizeof jump);
  std::memcpy(stub + sizeof jump, &to, sizeof to);
}

std::size_t size_near(const Jump& jump) noexcept {
  constexpr std::size_t alignment = 16;
  return jump.code.empty() ? stub_size : (jump.code.size() + alignment - 1) / alignment * alignment;
}

/// Memory that a jump of five bytes reaches from all of the module's code.
std::byte* memory_near(const CodePart& code, std::size_t size) noexcept {
  constexpr Address step = Address{1} << 20, farthest = Address{1} << 30;
  for (Address below = size + step; below < farthest && below < code.begin; below += step) {
    const Address at = (code.begin - below) & ~(step - 1);
    const long made =
        syscall(SYS_mmap, at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (made == static_cast<long>(at)) return reinterpret_cast<std::byte*>(at);
  }
  return nullptr;
}

} // namespace

bool rewrite(const CodePart& code, std::span<const Jump> jumps, std::span<const Replacement> replacements) noexcept {
  std::size_t size = 0;
  for (const Jump& jump : jumps) size += size_near(jump);
  std::byte* const stubs = memory_near(code, size);
  if (stubs == nullptr) return false;
  std::byte* place = stubs;
  for (const Jump& jump : jumps) {
    if (jump.code.empty())
      write_stub(place, jump.to);
    else
      std::memcpy(place, jump.code.data(), jump.code.size());
    place += size_near(jump);
  }
  if (syscall(SYS_mprotect, stubs, size, PROT_READ | PROT_EXEC) != 0 ||
      syscall(SYS_mprotect, code.begin, code.size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return false;
  place = stubs;
  for (const Jump& jump : jumps) {
    const auto distance = static_cast<std::int32_t>(reinterpret_cast<Address>(place) - (jump.from + jump_size));
    place += size_near(jump);
    auto* const at = reinterpret_cast<volatile unsigned char*>(jump.from);
    // Byte by byte: memcpy is one of the functions.
    for (unsigned byte = 0; byte < sizeof distance; ++byte)
      at[1 + byte] = static_cast<unsigned char>(static_cast<std::uint32_t>(distance) >> (8 * byte));
    at[0] = 0xe9;
  }
  for (const Replacement& replacement : replacements)
    for (std::size_t byte = 0; byte < replacement.code.size(); ++byte)
      reinterpret_cast<volatile std::byte*>(replacement.at)[byte] = replacement.code[byte];
  syscall(SYS_mprotect, code.begin, code.size, PROT_READ | PROT_EXEC);
  return true;
}

#else

bool rewrite(const CodePart&, std::span<const Jump>, std::span<const Replacement>) noexcept { return false; }

#endif

} // namespace fletcher::interpose
