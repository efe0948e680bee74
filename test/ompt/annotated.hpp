// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that stock clang built for ThreadSanitizer, whose runtime stays and judges the accesses: it hears from the
// library what OpenMP orders.
#pragma once

#include "test/ompt/takeover.hpp"

#include <string>

namespace fletcher::test {

class Annotated : public Takeover {
protected:
  Outcome check_annotated(const std::string& threads) {
    return check("TSAN_OPTIONS='atexit_sleep_ms=0 ignore_noninstrumented_modules=1 report_thread_leaks=0' "
                 "OMP_WAIT_POLICY=passive FLETCHER_OPTIONS=level=tsan OMP_NUM_THREADS=" +
                 threads);
  }
};

} // namespace fletcher::test
