// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction of lists, whose nodes go from one thread's copy to another's, twice without a barrier in between.
// Silent: combining is the runtime's business, and what is combined belongs to who combines.
// expect: silent
// threads: 1 2 5 8
#include <cstdio>
#include <list>
#include <string>

using Names = std::list<std::string>;
#pragma omp declare reduction(append:Names : omp_out.splice(omp_out.end(), omp_in)) initializer(omp_priv = Names())

int main() {
  Names odd, even;
#pragma omp parallel shared(odd, even)
  {
#pragma omp for reduction(append : odd) nowait
    for (int i = 1; i < 200; i += 2) odd.push_back("number " + std::to_string(i) + " of many");
#pragma omp for reduction(append : even) nowait
    for (int i = 0; i < 200; i += 2) even.push_back("number " + std::to_string(i) + " of many");
#pragma omp barrier
#pragma omp single
    for (const std::string& name : even) odd.push_back(name + "!");
  }
  std::printf("%zu names\n", odd.size() + even.size());
  return odd.size() == 200 && even.size() == 100 ? 0 : 1;
}
