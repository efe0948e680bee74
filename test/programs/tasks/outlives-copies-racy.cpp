// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks reach variables of their creator's frames through copies of structures, of lambda expressions and of what other
// functions were given.
// Racy: the functions return while the tasks may run.
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
#pragma omp task firstprivate(part) // FINDING(missing-taskwait)
  {
    const int sum = part.sum();
    add(&sum);
  }
}

static void of_lambda(int n) {
  int value = n;
  auto work = [&value] { add(&value); };
#pragma omp task firstprivate(work) // FINDING(missing-taskwait)
  work();
}

template <class Work> static void start(Work work) {
#pragma omp task firstprivate(work) // FINDING(missing-taskwait)
  work();
}

static void by_template(int n) {
  int value = n;
  start([&value] { add(&value); });
}

static void give(int* values) {
#pragma omp task firstprivate(values) // FINDING(missing-taskwait)
  add(values);
}

static void by_function(int n) {
  int values[4] = {n};
  give(values);
}

struct Counter {
  int value;
  void start() {
#pragma omp task // FINDING(missing-taskwait)
    add(&value);
  }
};

static void by_object(int n) {
  Counter counter{n};
  counter.start();
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
  }
  std::printf("%d\n", total > 0);
}
