// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C11's functions by their names: programs and their libraries had functions of their own by such names, with other
// arguments and results, before libc had them.
#pragma once

#include "lib/interpose/real.hpp"

#include <cstdint>
#include <pthread.h>

namespace fletcher::interpose {

/// As Real; knows whether the function behind the interposer is libc's.
template <class Signature> class OfLibc : public Real<Signature> {
public:
  using Real<Signature>::Real;

  /// False: what it does is not known.
  bool is_libcs() noexcept {
    Answer answer = answer_.load(std::memory_order_relaxed);
    if (answer == Answer::unknown) [[unlikely]] {
      // Older C libraries have both kinds of threads in a library of their own.
      answer = in_one_module(reinterpret_cast<const void*>(this->get()),
                             reinterpret_cast<const void*>(&pthread_getconcurrency))
                   ? Answer::yes
                   : Answer::no;
      answer_.store(answer, std::memory_order_relaxed);
    }
    return answer == Answer::yes;
  }

private:
  enum class Answer : std::uint8_t { unknown, yes, no };

  std::atomic<Answer> answer_{Answer::unknown};
};

} // namespace fletcher::interpose
