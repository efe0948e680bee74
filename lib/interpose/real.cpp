// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/real.hpp"

#include "lib/interpose/openmp/openmp_runtimes.hpp"
#include "lib/interpose/takeover/takeover.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <dlfcn.h>
#include <link.h>

namespace fletcher::interpose {

namespace {

/// Where this library stands behind the program, what it stands for is before it. (To open the program would take a
/// lock in ThreadSanitizer's dlopen: in the child of a thread that forks meanwhile nobody opens it again.)
void* in_program(const char* name) noexcept {
  void* const found = dlsym(RTLD_DEFAULT, name);
  return found == nullptr || is_own(found) ? nullptr : found;
}

/// The paths of the OpenMP runtimes that are loaded, but not in the order of search.
struct Runtimes {
  std::array<const char*, 4> llvm{}, libgomp{};
};

int find_runtime(dl_phdr_info* module, std::size_t, void* data) {
  auto& found = *static_cast<Runtimes*>(data);
  const auto keep = [&](auto& list) {
    const auto free = std::ranges::find(list, nullptr);
    if (free != list.end()) *free = module->dlpi_name;
  };
  if (is_llvm_runtime(file_name(*module))) keep(found.llvm);
  if (is_libgomp(file_name(*module))) keep(found.libgomp);
  return 0;
}

/// One that came with a library which was loaded for itself alone. libgomp's functions only where all are libgomp's:
/// it knows nothing of another runtime's threads and tasks.
void* in_local_runtime(const char* name) noexcept {
  Runtimes found;
  dl_iterate_phdr(find_runtime, &found);
  const auto& runtimes = found.llvm.front() != nullptr ? found.llvm : found.libgomp;
  for (const char* const path : runtimes) {
    void* const runtime = path != nullptr ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
    if (runtime == nullptr) continue;
    void* const function = dlsym(runtime, name);
    dlclose(runtime);
    if (function != nullptr && !is_own(function)) return function;
  }
  return nullptr;
}

} // namespace

bool in_one_module(const void* one, const void* other) noexcept {
  // dladdr would look through all symbols of the module, which may be a hundred thousand.
  dl_find_object of_one{}, of_other{};
  return _dl_find_object(const_cast<void*>(one), &of_one) == 0 &&
         _dl_find_object(const_cast<void*>(other), &of_other) == 0 && of_one.dlfo_link_map == of_other.dlfo_link_map;
}

bool is_own(const void* function) noexcept { return in_one_module(function, reinterpret_cast<const void*>(&is_own)); }

void* next_definition(const char* name) noexcept {
  const int error = errno; // which the function may print
  const LookingUp here;
  // Without a version: of functions with several the newest is meant, and other interposers come before libc.
  const std::optional<void*> behind = behind_thread_sanitizer(name);
  void* found = behind ? *behind : dlsym(RTLD_NEXT, name);
  if (found == nullptr && !behind) found = in_program(name);
  if (found == nullptr && !behind) found = in_local_runtime(name);
  errno = error;
  return found;
}

} // namespace fletcher::interpose
