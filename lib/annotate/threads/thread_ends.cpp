// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/threads/thread_ends.hpp"

#include <pthread.h>

namespace fletcher::annotate {

namespace {

constinit const ThreadSanitizer* the_sanitizer = nullptr;
pthread_key_t key;

/// ThreadSanitizer ends the process of a thread that ends while it is ignored. It lets one go in the fourth round of
/// the keys' destructors.
constexpr long rounds = 3;

void end_of_round(void* left) {
  const long round = reinterpret_cast<long>(left);
  if (round > 1)
    pthread_setspecific(key, reinterpret_cast<void*>(round - 1));
  else
    the_sanitizer->notice();
}

} // namespace

void ignore_rest_of_thread(const ThreadSanitizer& sanitizer) noexcept {
  static const bool has_key = [&] {
    the_sanitizer = &sanitizer;
    return pthread_key_create(&key, end_of_round) == 0;
  }();
  if (has_key && pthread_setspecific(key, reinterpret_cast<void*>(rounds)) == 0) sanitizer.ignore();
}

} // namespace fletcher::annotate
