// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks add their lines to one string and to one stream, whose code is the C++ library's.
// Racy: nothing orders the tasks.
// builds: driver
#include <cstdio>
#include <sstream>
#include <string>

int main() {
  std::string log;
  std::ostringstream stream;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(log)
    log.append("first"); // RACE(1)
#pragma omp task shared(log)
    log.append("second"); // RACE(1)
#pragma omp task shared(stream)
    stream << "first"; // RACE(2)
#pragma omp task shared(stream)
    stream << "second"; // RACE(2)
  }
  std::printf("%zu %zu\n", log.size(), stream.str().size());
}
