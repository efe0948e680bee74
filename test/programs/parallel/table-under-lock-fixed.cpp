// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table behind a mutex, and a plain write beside it, by each member of a team, where the team has one member, too.
// The last key is kept under it as well.
// threads: 1 2
// compilers: clang
// builds: driver
#include <omp.h>

#include <cstdio>
#include <map>
#include <mutex>

namespace {

std::map<int, int> table;
std::mutex mutex;
omp_lock_t lock;
int last, latest, entries[8], used;

class Words {
public:
  void count(int word) {
    const std::lock_guard<std::mutex> guard(mutex_);
    ++counted_[word];
  }
  int size() const { return static_cast<int>(counted_.size()); }

private:
  std::mutex mutex_;
  std::map<int, int> counted_;
};

__attribute__((noinline)) void enter(int value) { entries[used++ % 8] = value; }

} // namespace

int main() {
  Words words;
  int lately = 0;
  omp_init_lock(&lock);
#pragma omp parallel
  for (int i = 0; i < 20; ++i) {
    {
      const std::lock_guard<std::mutex> guard(mutex);
      table[i % 7]++;
      last = i;
    }
  }
#pragma omp parallel
  for (int i = 0; i < 20; ++i) {
    omp_set_lock(&lock);
    enter(i);
    latest = i;
    omp_unset_lock(&lock);
  }
#pragma omp parallel
  for (int i = 0; i < 20; ++i) {
    words.count(i % 7);
    const std::lock_guard<std::mutex> guard(mutex);
    lately = i;
  }
  omp_destroy_lock(&lock);
  std::printf("%zu %d %d\n", table.size(), words.size(), last + latest + lately + used > 0);
}
