// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the program says about the number of threads of its teams, and what it asks about it.

#include "lib/interpose/openmp/team_sizes.hpp"

#include "checker/constructs/strand.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/process/signal_actions.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/local.hpp"

#include <atomic>
#include <cstdint>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit std::atomic<bool> for_threads{false}, whether_parallel{false};

/// What is asked elsewhere is not the program's.
[[gnu::always_inline]] inline void note(std::atomic<bool>& asked, Address pc) noexcept {
  if (asked.load(std::memory_order_relaxed) || tool::session() == nullptr || !modules::is_instrumented(pc)) return;
  asked.store(true, std::memory_order_relaxed);
  if (access::ThreadState* const thread = outside_tool()) constructs::close_team(*thread);
}

constinit Real<void(void*, std::int32_t, std::int32_t)> real_push_threads{"__kmpc_push_num_threads"};
constinit Real<void(void*, std::int32_t, std::int32_t, std::int32_t)> real_push_teams{"__kmpc_push_num_teams"};
constinit Real<void(void*, std::int32_t, std::int32_t, std::int32_t, std::int32_t)> real_push_teams_51{
    "__kmpc_push_num_teams_51"};
constinit Real<void(int)> real_set_threads{"omp_set_num_threads"};
constinit Real<void(const int*)> real_set_threads_fortran{"omp_set_num_threads_"};
constinit Real<int()> real_num_threads{"omp_get_num_threads"}, real_max_threads{"omp_get_max_threads"},
    real_procs{"omp_get_num_procs"}, real_in_parallel{"omp_in_parallel"}, real_active_level{"omp_get_active_level"},
    real_thread_limit{"omp_get_thread_limit"};
constinit Real<int(int)> real_team_size{"omp_get_team_size"};

} // namespace

namespace fletcher::interpose {
bool asks_for_threads() noexcept { return for_threads.load(std::memory_order_relaxed); }
bool asks_whether_parallel() noexcept { return whether_parallel.load(std::memory_order_relaxed); }
bool leaves_team_sizes_open() noexcept {
  const tool::Session* const session = tool::session();
  return session != nullptr && session->options().pieces != 0 && !asks_for_threads() && !asks_whether_parallel() &&
         !handles_signals();
}
} // namespace fletcher::interpose

#pragma GCC visibility push(default)
extern "C" {

/// A region comes next, and code of clang's with the plugin begins it: what it asks about its team is noted.
void __fletcher_team_is_open() { ompt::local.open = true; }
/// The team that comes next is as large as the program says.
void __fletcher_team_is_sized() { ompt::local.sized = true; }

void __kmpc_push_num_threads(void* location, std::int32_t thread, std::int32_t number) {
  ompt::local.sized = true;
  real_push_threads(location, thread, number);
}

/// Of a teams construct; a limit is 0 where the program has set none.
void __kmpc_push_num_teams(void* location, std::int32_t thread, std::int32_t teams, std::int32_t limit) {
  if (limit != 0) ompt::program_sizes_teams.store(true, std::memory_order_relaxed);
  real_push_teams(location, thread, teams, limit);
}
void __kmpc_push_num_teams_51(void* location, std::int32_t thread, std::int32_t least, std::int32_t most,
                              std::int32_t limit) {
  if (limit != 0) ompt::program_sizes_teams.store(true, std::memory_order_relaxed);
  real_push_teams_51(location, thread, least, most, limit);
}

void omp_set_num_threads(int number) {
  ompt::program_sizes_teams.store(true, std::memory_order_relaxed);
  real_set_threads(number);
}
void omp_set_num_threads_(const int* number) {
  ompt::program_sizes_teams.store(true, std::memory_order_relaxed);
  real_set_threads_fortran(number);
}

/// What the compiler plugin (lib/pass/doubts/doubts) makes of omp_get_num_threads().
int __fletcher_ask_num_threads() {
  note(for_threads, caller());
  return real_num_threads();
}
int omp_get_max_threads() {
  note(for_threads, caller());
  return real_max_threads();
}
int omp_get_num_procs() {
  note(for_threads, caller());
  return real_procs();
}
int omp_get_team_size(int level) {
  note(for_threads, caller());
  return real_team_size(level);
}
int omp_get_thread_limit() {
  note(for_threads, caller());
  return real_thread_limit();
}
int omp_get_active_level() {
  note(whether_parallel, caller());
  return real_active_level();
}
int omp_in_parallel() {
  note(whether_parallel, caller());
  return real_in_parallel();
}
/// What it makes of the first two where the number is only printed.
int __fletcher_get_num_threads() { return real_num_threads(); }
int __fletcher_get_max_threads() { return real_max_threads(); }

} // extern "C"
#pragma GCC visibility pop
