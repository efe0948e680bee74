// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asking glibc where a thread's stack and thread-local storage lie.

#include "lib/tool/process/thread_memory.hpp"

#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <cstddef>

namespace fletcher::tool {

namespace {

/// Bytes below the thread pointer that belong to static thread-local storage (x86-64's layout); 0 where not measured.
constinit std::size_t static_tls_size = 0;

#if defined(__x86_64__)
Address thread_pointer() noexcept { return static_cast<Address>(pthread_self()); }
#else
Address thread_pointer() noexcept { return 0; }
#endif

int visit(dl_phdr_info* info, std::size_t size, void* largest) noexcept {
  if (size < offsetof(dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data || info->dlpi_tls_data == nullptr)
    return 0;
  // A block far away belongs to a library that was loaded later and has it from malloc.
  constexpr Address far = 1 << 20;
  const Address begin = reinterpret_cast<Address>(info->dlpi_tls_data);
  if (begin < thread_pointer() && thread_pointer() - begin < far)
    *static_cast<std::size_t*>(largest) = std::max(*static_cast<std::size_t*>(largest), thread_pointer() - begin);
  return 0;
}

} // namespace

void measure_tls() noexcept {
  if (thread_pointer() != 0) dl_iterate_phdr(visit, &static_tls_size);
}

MemoryRange own_tls() noexcept {
  if (static_tls_size == 0) return {};
  return {thread_pointer() - static_tls_size, thread_pointer()};
}

StackBounds own_stack() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* low = nullptr;
  std::size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (!known) return {};
  // `ulimit -s unlimited`: then all that is free below the first thread's stack counts as stack, and what is mapped
  // there later does so, too.
  constexpr std::size_t most = std::size_t{64} << 30;
  const Address high = reinterpret_cast<Address>(low) + size;
  StackBounds stack{high - std::min(size, most), high};
  const MemoryRange tls = own_tls();
  if (tls.low > stack.low && tls.low < stack.high) stack.high = tls.low;
  return stack;
}

} // namespace fletcher::tool
