// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of C++ in tasks: copied closures, functions, strings and arrays, shared pointers, members, moved vectors.
// expect: silent
// levels: native graph
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

static long total;
struct Big {
  double data[300];
  Big(int v) { std::fill(data, data + 300, v); }
};
template <class F> static void spawn(F f) {
#pragma omp task firstprivate(f)
  f();
}

static void spawn_function(std::function<void()> f) {
#pragma omp task firstprivate(f)
  f();
}

static void big(int v) {
  Big b(v);
#pragma omp task firstprivate(b)
  {
#pragma omp atomic
    total += (long)b.data[7];
  }
}

static void shared_ptr_task(int v) {
  auto p = std::make_shared<std::vector<int>>(10, v);
#pragma omp task firstprivate(p)
  {
    long s = std::accumulate(p->begin(), p->end(), 0L);
#pragma omp atomic
    total += s;
  }
#pragma omp task firstprivate(p)
  {
#pragma omp atomic
    total += p->size();
  }
}

class Worker {
public:
  explicit Worker(int n) : n(n), parts(n) {}
  void run() {
    for (int i = 0; i < n; i++) {
#pragma omp task
      parts[i] = work(i);
    }
#pragma omp taskwait
    sum = std::accumulate(parts.begin(), parts.end(), 0L);
  }
  long sum = 0;

private:
  long work(int i) const { return i * n; }
  int n;
  std::vector<long> parts;
};

static long quick(std::vector<int> v) {
  if (v.size() < 8) return std::accumulate(v.begin(), v.end(), 0L);
  std::vector<int> left(v.begin(), v.begin() + v.size() / 2), right(v.begin() + v.size() / 2, v.end());
  long a = 0, b = 0;
#pragma omp task shared(a) firstprivate(left)
  a = quick(left);
#pragma omp task shared(b, right)
  b = quick(std::move(right));
#pragma omp taskwait
  return a + b;
}

static void by_depend(int n) {
  std::vector<std::string> words(n);
  std::map<int, std::string> joined;
  int token = 0;
  for (int i = 0; i < n; i++) {
#pragma omp task shared(words) firstprivate(i) depend(out : *(&words[i]))
    words[i] = std::to_string(i) + "-a-rather-long-word-on-the-heap";
#pragma omp task shared(words, joined) firstprivate(i) depend(in : *(&words[i])) depend(inout : token)
    joined[i] = words[i];
  }
#pragma omp taskwait
#pragma omp atomic
  total += joined.size();
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 12; i++) {
      std::string name(40 + i, 'x');
      spawn([name] {
#pragma omp atomic
        total += name.size();
      });
      spawn_function([i, name] {
#pragma omp atomic
        total += i + name.back();
      });
      big(i);
      shared_ptr_task(i);
    }
    Worker w(10), u(5);
#pragma omp task shared(w)
    w.run();
#pragma omp task shared(u)
    u.run();
    std::vector<int> v(100);
    std::iota(v.begin(), v.end(), 0);
    long q = quick(v);
#pragma omp taskwait
#pragma omp atomic
    total += q + w.sum + u.sum;
    by_depend(9);
    by_depend(4);
  }
  std::printf("%ld\n", total);
}
