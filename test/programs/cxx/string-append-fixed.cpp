// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks add their lines to one string and to one stream, whose code is the C++ library's.
// Repaired: a dependence orders them.
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
#pragma omp task shared(log) depend(inout : log)
    log.append("first");
#pragma omp task shared(log) depend(inout : log)
    log.append("second");
#pragma omp task shared(stream) depend(inout : stream)
    stream << "first";
#pragma omp task shared(stream) depend(inout : stream)
    stream << "second";
  }
  std::printf("%zu %zu\n", log.size(), stream.str().size());
}
