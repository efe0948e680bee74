// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/real.hpp"

#include "lib/interpose/takeover.hpp"

#include <cerrno>

#include <dlfcn.h>

namespace fletcher::interpose {

namespace {

/// Where this library stands behind the program, what it stands for is before it.
void* in_program(const char* name) noexcept {
  void* const program = dlopen(nullptr, RTLD_LAZY | RTLD_NOLOAD);
  if (program == nullptr) return nullptr;
  void* const found = dlsym(program, name);
  dlclose(program);
  return found == nullptr || is_own(found) ? nullptr : found;
}

/// An OpenMP runtime that came with a library which was loaded for itself alone is not in the order of search.
void* in_local_runtime(const char* name) noexcept {
  for (const char* const file : {"libomp.so.5", "libomp.so", "libiomp5.so"})
    if (void* const runtime = dlopen(file, RTLD_LAZY | RTLD_NOLOAD)) {
      void* const found = dlsym(runtime, name);
      dlclose(runtime);
      if (found != nullptr) return found;
    }
  return nullptr;
}

} // namespace

bool in_one_module(const void* one, const void* other) noexcept {
  Dl_info of_one{}, of_other{};
  return dladdr(one, &of_one) != 0 && dladdr(other, &of_other) != 0 && of_one.dli_fbase == of_other.dli_fbase;
}

bool is_own(const void* function) noexcept { return in_one_module(function, reinterpret_cast<const void*>(&is_own)); }

void* next_definition(const char* name) noexcept {
  const int error = errno; // which the function may print
  const bool before = detail::looking_up;
  detail::looking_up = true;
  // Without a version: of functions with several the newest is meant, and other interposers come before libc.
  const std::optional<void*> behind = behind_thread_sanitizer(name);
  void* found = behind ? *behind : dlsym(RTLD_NEXT, name);
  if (found == nullptr && !behind) found = in_program(name);
  if (found == nullptr && !behind) found = in_local_runtime(name);
  detail::looking_up = before;
  errno = error;
  return found;
}

} // namespace fletcher::interpose
