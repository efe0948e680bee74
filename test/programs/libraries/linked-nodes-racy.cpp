// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks add to a map and to a list, whose nodes the C++ library links: at once.
// threads: 1 4
#include <cstdio>
#include <list>
#include <map>

int main() {
  std::map<int, int> map;
  std::list<int> list;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(map)
    map[1] = 1; // RACE(1)
#pragma omp task shared(map)
    map[2] = 2; // RACE(1)
#pragma omp task shared(list)
    list.push_back(1); // RACE(2)
#pragma omp task shared(list)
    list.push_back(2); // RACE(2)
  }
  std::printf("%zu\n", map.size() + list.size());
}
