// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of a team that draw numbers, jobs and roles under a lock, and leave it by different ways: in an object of
// their own, by reference, as a result, in a container, by an exception, by the way on. What they write then is theirs.
// threads: 1 2 8
// expect: silent
#include <omp.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <vector>

#define SEPARATE __attribute__((noinline))

namespace {

constexpr int n = 256;
std::mutex mutex;
omp_lock_t lock;
int next, ended, slots[n];

struct Object {
  int number = -1;
  int rest[7] = {};
  Object* below = nullptr;
};
Object* top;
std::list<int> jobs;
std::map<int, int> table;

SEPARATE void name(Object& object) {
  object.number = next;
  next++;
}
SEPARATE void take(int& number) {
  const std::lock_guard<std::mutex> guard(mutex);
  number = next++;
}
SEPARATE int taken() {
  const std::lock_guard<std::mutex> guard(mutex);
  return next++;
}
SEPARATE Object made() {
  Object object;
  const std::lock_guard<std::mutex> guard(mutex);
  object.number = next++;
  return object;
}
SEPARATE void enter(Object& object) {
  omp_set_lock(&lock);
  object.below = top;
  top = &object;
  omp_unset_lock(&lock);
}
SEPARATE void be_first() {
  const std::lock_guard<std::mutex> guard(mutex);
  if (table[0]++ == 0) throw std::length_error("first");
}
SEPARATE void under(const std::function<void()>& work) {
  const std::lock_guard<std::mutex> guard(mutex);
  work();
}
SEPARATE void open_for_a_while(Object& object) {
  object.number = next++;
  mutex.unlock();
  slots[object.number] = 1;
  mutex.lock();
}

} // namespace

int main() {
  omp_init_lock(&lock);
  for (int i = 0; i < 16; ++i) jobs.push_back(100 + i);
#pragma omp parallel
  {
    const auto object = std::make_unique<Object>();
    {
      const std::lock_guard<std::mutex> guard(mutex);
      name(*object);
    }
    slots[object->number] = 1;
  }
#pragma omp parallel
  {
    int number = 0;
    take(number);
    slots[number] = 1;
  }
#pragma omp parallel
  slots[taken()] = 1;
#pragma omp parallel
  {
    const Object object = made();
    slots[object.number] = 1;
  }
#pragma omp parallel
  {
    const auto object = std::make_unique<Object>();
    enter(*object);
    if (object->below == nullptr) ended = 1;
#pragma omp barrier
  }
#pragma omp parallel
  try {
    be_first();
  } catch (std::length_error&) {
    ended = 2;
  }
#pragma omp parallel
  {
    int number = 0;
    under([&] { number = next++; });
    slots[number] = 1;
  }
#pragma omp parallel
  {
    Object object;
    mutex.lock();
    open_for_a_while(object);
    mutex.unlock();
  }
#pragma omp parallel
  {
    std::list<int> mine;
    {
      const std::lock_guard<std::mutex> guard(mutex);
      if (!jobs.empty()) mine.splice(mine.begin(), jobs, jobs.begin());
    }
    for (const int job : mine) slots[job] = 1;
  }
#pragma omp parallel
  {
    std::set<int> mine;
    omp_set_lock(&lock);
    mine.insert(next++);
    omp_unset_lock(&lock);
    slots[*mine.begin()] = 1;
  }
#pragma omp parallel
  {
    int copy[4];
    omp_set_lock(&lock);
    std::memcpy(copy, &next, sizeof next);
    next++;
    omp_unset_lock(&lock);
    slots[copy[0]] = 1;
  }
#pragma omp parallel
  {
    omp_set_lock(&lock);
    if (table[1]++ == 0) {
      omp_unset_lock(&lock);
      ended = 3;
    } else {
      omp_unset_lock(&lock);
    }
  }
#pragma omp parallel
  {
    Object object, later;
    omp_set_lock(&lock);
    name(object);
    omp_unset_lock(&lock);
#pragma omp task shared(object, later)
    later.number = object.number;
#pragma omp taskwait
    slots[later.number] = 1;
  }
  omp_destroy_lock(&lock);
  std::printf("%d\n", ended);
}
