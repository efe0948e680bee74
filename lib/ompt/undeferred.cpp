// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/ompt/undeferred.hpp"

#include "lib/ompt/runtime.hpp"
#include "lib/tool/call_target.hpp"

#include <dlfcn.h>

#include <array>
#include <atomic>

namespace fletcher::ompt {

namespace {

constexpr const char* begin_if0 = "__kmpc_omp_task_begin_if0";

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

/// Without evidence a task is deferred.
bool decode(Address return_address) noexcept {
  const auto function = tool::call_target(return_address);
  return function && targets().has(*function);
}

/// Answers by address, direct-mapped; an entry is the address with the answer on top.
constexpr Address answer_bit = Address{1} << 63;
constinit std::array<std::atomic<Address>, 1024> answers{};

} // namespace

bool is_in_runtime(Address address) noexcept { return address >= runtime.code_begin && address < runtime.code_end; }

bool calls_begin_if0(Address return_address) noexcept {
  if (return_address == 0 || (return_address & answer_bit) != 0) return false;
  std::atomic<Address>& entry = answers[(return_address ^ (return_address >> 10)) % answers.size()];
  const Address known = entry.load(std::memory_order_relaxed);
  if ((known & ~answer_bit) == return_address) return (known & answer_bit) != 0;
  const bool answer = decode(return_address);
  entry.store(return_address | (answer ? answer_bit : 0), std::memory_order_relaxed);
  return answer;
}

} // namespace fletcher::ompt
