// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A node leaves a list, and one a map, while another thread walks: the C++ library changes the nodes beside it.
// threads: 2
#include <chrono>
#include <list>
#include <map>
#include <omp.h>
#include <thread>

static int walk(const std::list<int>& list) {
  int sum = 0;
  for (const int one : list) sum += one; // RACE(1)
  return sum;
}

int main() {
  std::list<int> list{1, 2, 3, 4};
  std::map<int, int> map;
  for (int i = 0; i < 8; i++) map[i] = i;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      list.pop_back(); // RACE(1)
      map.erase(7);    // RACE(2)
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      map[5] = walk(list); // RACE(2)
    }
  }
  return list.empty();
}
