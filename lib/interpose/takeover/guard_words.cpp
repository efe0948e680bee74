// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/takeover/guard_words.hpp"

#include "lib/tool/process/futex.hpp"

#include <atomic>
#include <cstdint>

namespace fletcher::interpose::guard_words {

namespace {

/// The compilers read the first byte of a guard: not zero is done.
enum : std::uint32_t { untouched = 0, done = 1, running = 1u << 16, awaited = 1u << 17 };

using Word = std::atomic_ref<std::uint32_t>;

Word word_of(void* object) noexcept { return Word(*static_cast<std::uint32_t*>(object)); }

/// True: the caller initialises, and then calls `end`. False: it is done.
bool begin(void* object) noexcept {
  const Word word = word_of(object);
  for (;;) {
    std::uint32_t now = word.load(std::memory_order_acquire);
    if (now == untouched) {
      if (word.compare_exchange_strong(now, running, std::memory_order_acquire)) return true;
    } else if ((now & running) == 0) {
      return false;
    } else if ((now & awaited) != 0 || word.compare_exchange_strong(now, now | awaited, std::memory_order_relaxed)) {
      tool::wait_on(object, now | awaited);
    }
  }
}

void end(void* object, std::uint32_t value) noexcept {
  if ((word_of(object).exchange(value, std::memory_order_release) & awaited) != 0) tool::wake_all(object);
}

} // namespace

int once(pthread_once_t* control, void (*routine)()) {
  struct Attempt {
    void* control;
    std::uint32_t outcome = untouched;
    ~Attempt() { end(control, outcome); }
  };
  if (begin(control)) {
    Attempt attempt{control};
    routine();
    attempt.outcome = done;
  }
  return 0;
}

int acquire(long long* guard) noexcept { return begin(guard) ? 1 : 0; }
void release(long long* guard) noexcept { end(guard, done); }
void abort(long long* guard) noexcept { end(guard, untouched); }

} // namespace fletcher::interpose::guard_words
