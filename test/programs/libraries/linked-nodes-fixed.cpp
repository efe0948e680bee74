// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks add to a map and to a list, whose nodes the C++ library links: one after the other.
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
#pragma omp task shared(map) depend(inout : map)
    map[1] = 1;
#pragma omp task shared(map) depend(inout : map)
    map[2] = 2;
#pragma omp task shared(list) depend(inout : list)
    list.push_back(1);
#pragma omp task shared(list) depend(inout : list)
    list.push_back(2);
  }
  std::printf("%zu\n", map.size() + list.size());
}
