// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the program called a library that is not instrumented and in whose code something of the program's happens, as
// std::string::append frees a block: the shadow call stack knows functions of the program only.
#pragma once

#include "checker/access/thread_state.hpp"
#include "lib/interpose/binding/modules.hpp"

#include <cstdint>
#include <cstring>

namespace fletcher::interpose {

/// Where the instrumented function that was entered last goes on after the call that it is in; 0 where that is not
/// known. Its stack pointer is what it was when it was entered, except for arguments and arrays that it put on the
/// stack: then there is no return address.
inline Address return_to_program(const access::ThreadState& thread) noexcept {
#if defined(__x86_64__)
  const access::Frame* const top = thread.stack.top();
  if (top == thread.stack.base()) return 0;
  constexpr Address far = 1 << 20; // maybe another stack, which need not be there any more
  const Address after_call = top[-1].stack_pointer;
  if (after_call - reinterpret_cast<Address>(__builtin_frame_address(0)) > far) return 0;
  Address pc = 0;
  std::memcpy(&pc, reinterpret_cast<const void*>(after_call - sizeof pc), sizeof pc);
  if (!modules::is_instrumented(pc) || !modules::is_instrumented(pc - 6)) return 0;
  constexpr std::uint8_t call = 0xe8, indirect = 0xff, through_table = 0x15;
  const auto* const after = reinterpret_cast<const std::uint8_t*>(pc);
  return after[-5] == call || (after[-6] == indirect && after[-5] == through_table) ? pc : 0;
#else
  return 0;
#endif
}

/// While it lives that call is on the thread's shadow call stack, where a library's code called at `pc`.
class InLibrary {
public:
  InLibrary(access::ThreadState& thread, Address pc) noexcept
      : thread_(thread), call_(modules::is_instrumented(pc) ? 0 : return_to_program(thread)) {
    if (call_ != 0) thread_.stack.push(call_, 0);
  }
  ~InLibrary() {
    if (call_ != 0) thread_.stack.pop();
  }
  InLibrary(const InLibrary&) = delete;
  InLibrary& operator=(const InLibrary&) = delete;

private:
  access::ThreadState& thread_;
  Address call_;
};

} // namespace fletcher::interpose
