// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/process/call_target.hpp"

#include "lib/tool/process/peek.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace fletcher::tool {

#if defined(__x86_64__)

namespace {

constexpr std::uint8_t call_relative = 0xe8, indirect = 0xff, call_through = 0x15, jump_through = 0x25, bnd = 0xf2;
constexpr std::array<std::uint8_t, 4> endbr64{0xf3, 0x0f, 0x1e, 0xfa};

Address relative_to(Address end, std::int32_t displacement) noexcept {
  return end + static_cast<Address>(std::int64_t{displacement});
}

} // namespace

// [endbr64] [bnd] jmp *slot(%rip)
std::optional<Address> slot_of_stub(Address stub) noexcept {
  const auto bytes = peek<std::array<std::uint8_t, 16>>(stub);
  if (!bytes) return std::nullopt;
  std::size_t at = 0;
  if (std::memcmp(bytes->data(), endbr64.data(), endbr64.size()) == 0) at += endbr64.size();
  if ((*bytes)[at] == bnd) ++at;
  if ((*bytes)[at] != indirect || (*bytes)[at + 1] != jump_through) return std::nullopt;
  std::int32_t displacement = 0;
  std::memcpy(&displacement, bytes->data() + at + 2, sizeof displacement);
  return relative_to(stub + at + 6, displacement);
}

std::optional<Called> called_by(Address return_address) noexcept {
  if (return_address < 16) return std::nullopt;
  const auto code = peek<std::array<std::uint8_t, 6>>(return_address - 6);
  if (!code) return std::nullopt;
  std::int32_t displacement = 0;
  std::memcpy(&displacement, code->data() + 2, sizeof displacement);
  const Address named = relative_to(return_address, displacement);
  if ((*code)[0] == indirect && (*code)[1] == call_through) return Called{named, true};
  return (*code)[1] == call_relative ? std::optional(Called{named, false}) : std::nullopt;
}

std::optional<Address> call_target(Address return_address) noexcept {
  const auto called = called_by(return_address);
  if (!called) return std::nullopt;
  if (called->is_slot) return peek<Address>(called->at);
  const auto slot = slot_of_stub(called->at);
  return slot ? peek<Address>(*slot) : called->at;
}

#else

std::optional<Address> call_target(Address) noexcept { return std::nullopt; }
std::optional<Address> slot_of_stub(Address) noexcept { return std::nullopt; }
std::optional<Called> called_by(Address) noexcept { return std::nullopt; }

#endif

} // namespace fletcher::tool
