// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks reach variables of their creator's frames through copies of structures, of lambda expressions and of what other
// functions were given.
// Fixed: whoever owns the variable waits; and tasks that have such copies, but leave the variables alone, need no wait.
// compilers: clang
// builds: driver
#include <cstdio>

static int total;

static void add(const int* values) {
#pragma omp atomic
  total += values[0];
}

struct Part {
  int *begin, *end;
  int sum() const {
    int result = 0;
    for (const int* p = begin; p != end; p++) result += *p;
    return result;
  }
};

static void of_structure(int n) {
  int values[4] = {n, n, n, n};
  Part part{values, values + 4};
#pragma omp task firstprivate(part)
  {
    const int sum = part.sum();
    add(&sum);
  }
#pragma omp taskwait
}

static void of_lambda(int n) {
  int value = n;
  auto work = [&value] { add(&value); };
#pragma omp task firstprivate(work)
  work();
#pragma omp taskwait
}

template <class Work> static void start(Work work) {
#pragma omp task firstprivate(work)
  work();
}

static void by_template(int n) {
  int value = n;
  start([&value] { add(&value); });
#pragma omp taskwait
}

static void give(int* values) {
#pragma omp task firstprivate(values)
  add(values);
}

static void by_function(int n) {
  int values[4] = {n};
  give(values);
#pragma omp taskwait
}

struct Counter {
  int value;
  void start() {
#pragma omp task
    add(&value);
  }
};

static void by_object(int n) {
  Counter counter{n};
  counter.start();
#pragma omp taskwait
}

static void leaves_it_alone(int n) {
  int values[4] = {n};
  Part part{values, values + n};
#pragma omp task firstprivate(part, n)
  if (part.begin != part.end) add(&n);
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    of_structure(1);
#pragma omp taskwait
    of_lambda(1);
#pragma omp taskwait
    by_template(1);
#pragma omp taskwait
    by_function(1);
#pragma omp taskwait
    by_object(1);
#pragma omp taskwait
    leaves_it_alone(2);
  }
  std::printf("%d\n", total > 0);
}
