// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/real.hpp"

#include <dlfcn.h>

namespace fletcher::interpose {

void* next_definition(const char* name, const char* version) noexcept {
  const bool before = detail::looking_up;
  detail::looking_up = true;
  void* found = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  if (found == nullptr) found = dlsym(RTLD_NEXT, name);
  detail::looking_up = before;
  return found;
}

} // namespace fletcher::interpose
