// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table with a lock for each bucket; the first that the program asks of OpenMP is a lock, before main.
// Fixed: all locks are initialised: by a constructor, by several threads, in memory where other locks were.
// levels: native graph
#include <omp.h>

#include <cstdio>
#include <memory>
#include <vector>

namespace {

struct Bucket {
  Bucket() { omp_init_lock(&lock); }
  ~Bucket() { omp_destroy_lock(&lock); }
  Bucket(const Bucket&) = delete;
  Bucket& operator=(const Bucket&) = delete;

  void add(int n) {
    omp_set_lock(&lock);
    count += n;
    omp_unset_lock(&lock);
  }
  omp_lock_t lock;
  int count = 0;
};

Bucket all;

int fill(int buckets) {
  std::vector<std::unique_ptr<Bucket>> table(buckets);
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < buckets; i++) table[i] = std::make_unique<Bucket>();
#pragma omp for
    for (int i = 0; i < 10 * buckets; i++) {
      table[i % buckets]->add(1);
      all.add(1);
    }
  }
  return table.front()->count;
}

} // namespace

int main() {
  int sum = 0;
  for (int buckets = 1; buckets < 12; buckets++) sum += fill(buckets);
  std::printf("%d %d\n", sum, all.count);
  return sum == 110 && all.count == 660 ? 0 : 1;
}
