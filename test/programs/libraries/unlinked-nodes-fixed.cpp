// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A node leaves a list, and one a map, before another thread walks, or both hold a lock.
// threads: 2
#include <chrono>
#include <list>
#include <map>
#include <mutex>
#include <omp.h>
#include <thread>

static int walk(const std::list<int>& list) {
  int sum = 0;
  for (const int one : list) sum += one;
  return sum;
}

int main() {
  std::list<int> list{1, 2, 3, 4}, others{1, 2, 3};
  std::map<int, int> map;
  std::mutex mutex;
  int sums[2];
  for (int i = 0; i < 8; i++) map[i] = i;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      list.pop_back();
      const std::lock_guard<std::mutex> guard(mutex);
      map.erase(7);
    } else {
      others.pop_front();
      const std::lock_guard<std::mutex> guard(mutex);
      map[5] = walk(others);
    }
#pragma omp barrier
    sums[omp_get_thread_num()] = walk(list);
  }
  return sums[0] + sums[1] < 0;
}
