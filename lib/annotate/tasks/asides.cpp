// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/tasks/asides.hpp"

#include <utility>

namespace fletcher::annotate {

namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local void* aside = nullptr;

} // namespace

void* Asides::of_this_thread() {
  if (aside != nullptr) return aside;
  {
    const memory::SpinGuard guard(lock_);
    if (!unused_.empty()) {
      aside = unused_.back();
      unused_.pop_back();
      return aside;
    }
  }
  return aside = sanitizer_.create_fiber("OpenMP");
}

void Asides::end_thread() {
  if (aside == nullptr) return;
  const memory::SpinGuard guard(lock_);
  unused_.push_back(std::exchange(aside, nullptr));
}

void Asides::destroy_unused() {
  end_thread();
  const memory::SpinGuard guard(lock_);
  for (void* const fiber : std::exchange(unused_, {})) sanitizer_.destroy_fiber(fiber);
}

} // namespace fletcher::annotate
