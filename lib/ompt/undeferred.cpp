// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading the call instruction before a return address: which function of the runtime did the program call there?

#include "lib/ompt/undeferred.hpp"

#include "lib/ompt/runtime.hpp"

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <optional>

namespace fletcher::ompt {

namespace {

constexpr const char* begin_if0 = "__kmpc_omp_task_begin_if0";

/// Copies memory that may not be there; the kernel checks.
template <class T> std::optional<T> peek(Address address) noexcept {
  T value{};
  iovec to{&value, sizeof value}, from{reinterpret_cast<void*>(address), sizeof value};
  if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != sizeof value) return std::nullopt;
  return value;
}

/// Address of a function as programs see it, and as the runtime defines it where this library stands before it.
struct Targets {
  Address seen = reinterpret_cast<Address>(dlsym(RTLD_DEFAULT, begin_if0));
  Address next = reinterpret_cast<Address>(dlsym(RTLD_NEXT, begin_if0));
  bool has(Address address) const noexcept { return address != 0 && (address == seen || address == next); }
};
const Targets& targets() noexcept {
  static const Targets the;
  return the;
}

#if defined(__x86_64__)

/// The jump slot that the linkage stub at `stub` goes through: [endbr64] [bnd] jmp *slot(%rip).
std::optional<Address> slot_of_stub(Address stub) noexcept {
  const auto bytes = peek<std::array<std::uint8_t, 16>>(stub);
  if (!bytes) return std::nullopt;
  std::size_t at = 0;
  constexpr std::array<std::uint8_t, 4> endbr64{0xf3, 0x0f, 0x1e, 0xfa};
  if (std::memcmp(bytes->data(), endbr64.data(), endbr64.size()) == 0) at += endbr64.size();
  if ((*bytes)[at] == 0xf2) ++at;
  if ((*bytes)[at] != 0xff || (*bytes)[at + 1] != 0x25) return std::nullopt;
  std::int32_t displacement = 0;
  std::memcpy(&displacement, bytes->data() + at + 2, sizeof displacement);
  return stub + at + 6 + static_cast<Address>(static_cast<std::intptr_t>(displacement));
}

bool decode(Address return_address) noexcept {
  const auto displacement = peek<std::int32_t>(return_address - 4);
  if (!displacement) return false;
  const Address target = return_address + static_cast<Address>(static_cast<std::intptr_t>(*displacement));
  if (const auto call = peek<std::uint8_t>(return_address - 5); call && *call == 0xe8) { // call rel32
    if (targets().has(target)) return true;
    const auto slot = slot_of_stub(target);
    const auto callee = slot ? peek<Address>(*slot) : std::nullopt;
    if (callee && targets().has(*callee)) return true;
  }
  const auto indirect = peek<std::array<std::uint8_t, 2>>(return_address - 6); // call *slot(%rip)
  if (!indirect || (*indirect)[0] != 0xff || (*indirect)[1] != 0x15) return false;
  const auto callee = peek<Address>(target);
  return callee && targets().has(*callee);
}

#else

bool decode(Address) noexcept { return false; } // no evidence: a task is deferred

#endif

/// Answers by address, direct-mapped; an entry is the address with the answer on top.
constexpr Address answer_bit = Address{1} << 63;
constinit std::array<std::atomic<Address>, 1024> answers{};

} // namespace

bool is_in_runtime(Address address) noexcept { return address >= runtime.code_begin && address < runtime.code_end; }

bool calls_begin_if0(Address return_address) noexcept {
  if (return_address < 16 || (return_address & answer_bit) != 0) return false;
  std::atomic<Address>& entry = answers[(return_address ^ (return_address >> 10)) % answers.size()];
  const Address known = entry.load(std::memory_order_relaxed);
  if ((known & ~answer_bit) == return_address) return (known & answer_bit) != 0;
  const bool answer = decode(return_address);
  entry.store(return_address | (answer ? answer_bit : 0), std::memory_order_relaxed);
  return answer;
}

} // namespace fletcher::ompt
