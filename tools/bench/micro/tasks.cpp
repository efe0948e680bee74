// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks from their creation to their end, as events on one thread: time, and bytes of resident memory for each task
// where all live at once. With accesses (level native) or without (level graph).
#include "checker/access/check.hpp"
#include "checker/checker.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <fstream>
#include <vector>

namespace {

using namespace fletcher;

struct NoFindings final : FindingSink {
  void found(std::uint64_t, Finding) override {}
  void again(std::uint64_t) override {}
};

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// One region of one thread.
class Region {
public:
  explicit Region(bool accesses) : checker_({.accesses = accesses, .address_bits = 24}, sink_) {
    checker_.on(ThreadBegin{thread});
    checker_.on(InitialTaskBegin{thread, root});
    checker_.on(ParallelBegin{thread, root, team, 1});
    checker_.on(ImplicitTaskBegin{thread, team, member, 0, 1});
  }
  ~Region() {
    checker_.on(SyncBegin{thread, member, team, SyncKind::barrier_parallel});
    checker_.on(ImplicitTaskEnd{thread, team, member});
    checker_.on(ParallelEnd{thread, root, team});
    checker_.on(InitialTaskEnd{thread, root});
  }
  TaskId create(std::span<const Dependence> list = {}) {
    const TaskId task{++last_};
    checker_.on(TaskCreate{thread, running_.back(), task, TaskKind::explicit_, {}, 0x100});
    if (!list.empty()) checker_.on(TaskDependences{thread, task, list});
    return task;
  }
  void start(TaskId task) {
    checker_.on(TaskSwitch{thread, running_.back(), task});
    running_.push_back(task);
  }
  void end() {
    const TaskId task = running_.back();
    running_.pop_back();
    checker_.on(TaskEnd{.thread = thread, .task = task, .next = running_.back()});
  }
  void write(Address address) { access::check(checker_.thread(thread), address, 8, access::Kind::write, 0x200); }
  void taskwait() {
    checker_.on(SyncBegin{thread, running_.back(), team, SyncKind::taskwait});
    checker_.on(SyncEnd{thread, running_.back(), team, SyncKind::taskwait});
  }
  void fork_join(unsigned depth, Address variable) {
    if (depth == 0) return;
    for (const Address child : {variable * 2, variable * 2 + 1}) {
      start(create());
      fork_join(depth - 1, child);
      write(0x1000 + child % 0x1000 * 8);
      end();
    }
    taskwait();
  }

private:
  static constexpr ThreadId thread{1};
  static constexpr TaskId root{1}, member{2};
  static constexpr TeamId team{1};
  NoFindings sink_;
  Checker checker_;
  std::uint32_t last_ = 2;
  std::vector<TaskId> running_{member};
};

void count_memory(benchmark::State& state, double before, double tasks) {
  state.counters["bytes/task"] = (resident_bytes() - before) / tasks;
}
void count_tasks(benchmark::State& state, std::int64_t in_each) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * in_each);
}

/// One task creates many, which all live before the first one runs.
void independent(benchmark::State& state) {
  constexpr int many = 100'000;
  std::vector<TaskId> tasks(many);
  for (auto _ : state) {
    Region region(state.range(0) != 0);
    const double before = resident_bytes();
    for (TaskId& task : tasks) task = region.create();
    count_memory(state, before, many);
    for (const TaskId task : tasks) {
      region.start(task);
      region.write(0x1000 + number(task) % 1024 * 8);
      region.end();
    }
    region.taskwait();
  }
  count_tasks(state, many);
}
BENCHMARK(independent)->ArgName("accesses")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// Each task depends on the one before.
void chain(benchmark::State& state) {
  constexpr int many = 100'000;
  const Dependence item{0x1000, DependenceType::inout};
  std::vector<TaskId> tasks(many);
  for (auto _ : state) {
    Region region(state.range(0) != 0);
    const double before = resident_bytes();
    for (TaskId& task : tasks) task = region.create({&item, 1});
    count_memory(state, before, many);
    for (const TaskId task : tasks) {
      region.start(task);
      region.write(0x1000);
      region.end();
    }
    region.taskwait();
  }
  count_tasks(state, many);
}
BENCHMARK(chain)->ArgName("accesses")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// Waves over an array, each task after three of the wave before.
void waves(benchmark::State& state) {
  constexpr std::uint32_t width = 1000, height = 100;
  std::vector<TaskId> tasks;
  for (auto _ : state) {
    Region region(state.range(0) != 0);
    const double before = resident_bytes();
    tasks.clear();
    for (std::uint32_t wave = 0; wave < height; ++wave)
      for (std::uint32_t i = 1; i <= width; ++i) {
        const Dependence items[]{{0x1000 + 8 * (i - 1), DependenceType::in},
                                 {0x1000 + 8 * (i + 1), DependenceType::in},
                                 {0x1000 + 8 * i, DependenceType::inout}};
        tasks.push_back(region.create(items));
      }
    count_memory(state, before, width * height);
    for (const TaskId task : tasks) {
      region.start(task);
      region.write(0x1000 + (number(task) - 3) % width * 8 + 8);
      region.end();
    }
    region.taskwait();
  }
  count_tasks(state, width * height);
}
BENCHMARK(waves)->ArgName("accesses")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// A tree of tasks, each of which waits for its two children.
void fork_join(benchmark::State& state) {
  constexpr unsigned depth = 16;
  for (auto _ : state) {
    Region region(state.range(0) != 0);
    region.fork_join(depth, 1);
  }
  count_tasks(state, (2 << depth) - 2);
}
BENCHMARK(fork_join)->ArgName("accesses")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// Many tasks read a variable, one after the other; none ever writes it.
void readers(benchmark::State& state) {
  constexpr int many = 100'000;
  const Dependence item{0x1000, DependenceType::in};
  for (auto _ : state) {
    Region region(state.range(0) != 0);
    const double before = resident_bytes();
    for (int i = 0; i < many; ++i) {
      region.start(region.create({&item, 1}));
      region.end();
    }
    count_memory(state, before, many);
    region.taskwait();
  }
  count_tasks(state, many);
}
BENCHMARK(readers)->ArgName("accesses")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

} // namespace
