// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over iterators, ranges, pointers and small numbers, each iteration of which makes a task with copies of what it
// needs. The functions wait for none.
// expect: silent
// levels: native graph
#include <cstdio>
#include <list>
#include <string>
#include <vector>

static long total;
struct Item {
  std::string name;
  int weight;
};
__attribute__((noinline)) static void all(std::vector<Item>& items) {
#pragma omp for nowait
  for (auto it = items.begin(); it < items.end(); ++it) {
#pragma omp task
    {
#pragma omp atomic
      total += it->weight + (long)it->name.size();
    }
  }
}

__attribute__((noinline)) static void ranged(std::vector<Item>& items) {
#pragma omp for nowait
  for (Item& item : items) {
#pragma omp task firstprivate(item)
    {
#pragma omp atomic
      total += item.weight;
    }
  }
}

__attribute__((noinline)) static void pointers(Item* items, int n) {
#pragma omp for nowait schedule(dynamic)
  for (Item* p = items; p < items + n; p++) {
#pragma omp task
    {
#pragma omp atomic
      total += p->weight;
    }
  }
}

__attribute__((noinline)) static void bytes(Item* items, unsigned char n) {
#pragma omp for nowait collapse(2)
  for (unsigned char i = 0; i < n; i++)
    for (short j = 0; j < 3; j++) {
#pragma omp task
      {
#pragma omp atomic
        total += items[i].weight * j;
      }
    }
}

__attribute__((noinline)) static void longs(Item* items, long n, int extra) {
  long last = 0;
#pragma omp for nowait ordered
  for (long i = 0; i < n; i++) {
    last = i;
    int local = extra + (int)i;
#pragma omp task
    {
#pragma omp atomic
      total += items[i].weight + extra + local;
    }
  }
}

int main() {
  std::vector<Item> items;
  for (int i = 0; i < 20; i++) items.push_back({"item" + std::to_string(i), i});
#pragma omp parallel
  {
    all(items);
    ranged(items);
    pointers(items.data(), 20);
    bytes(items.data(), 20);
    longs(items.data(), 20, 3);
  }
#pragma omp parallel for
  for (unsigned i = 0; i < items.size(); i++) {
#pragma omp task
    {
#pragma omp task
      {
#pragma omp atomic
        total += items[i].weight;
      }
    }
  }
  std::printf("%ld\n", total);
}
