// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP's routines since 5.0, as C calls them. libgomp gave them versions that LLVM's runtime does not have: where
// that runs in libgomp's place, these calls of a program that was linked to libgomp would still be libgomp's, which
// knows nothing of the program's threads, tasks and allocators. This library shows all its names without a version,
// which fits any; what comes next is the runtime that runs.

#include "lib/interpose/real.hpp"

#include <cstdint>

using namespace fletcher::interpose;

namespace {

using Handle = std::uintptr_t;

constinit Real<void(Handle)> real_fulfill_event{"omp_fulfill_event"};
constinit Real<Handle(Handle, int, const void*)> real_init_allocator{"omp_init_allocator"};
constinit Real<void(Handle)> real_destroy_allocator{"omp_destroy_allocator"},
    real_set_default_allocator{"omp_set_default_allocator"};
constinit Real<Handle()> real_get_default_allocator{"omp_get_default_allocator"};
constinit Real<void(int)> real_set_num_teams{"omp_set_num_teams"},
    real_set_teams_thread_limit{"omp_set_teams_thread_limit"}, real_display_env{"omp_display_env"};
constinit Real<int()> real_get_max_teams{"omp_get_max_teams"},
    real_get_teams_thread_limit{"omp_get_teams_thread_limit"}, real_get_device_num{"omp_get_device_num"},
    real_get_supported_active_levels{"omp_get_supported_active_levels"}, real_in_explicit_task{"omp_in_explicit_task"};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void omp_fulfill_event(Handle event) { real_fulfill_event(event); }

Handle omp_init_allocator(Handle space, int count, const void* traits) {
  return real_init_allocator(space, count, traits);
}
void omp_destroy_allocator(Handle allocator) { real_destroy_allocator(allocator); }
void omp_set_default_allocator(Handle allocator) { real_set_default_allocator(allocator); }
Handle omp_get_default_allocator() { return real_get_default_allocator(); }

void omp_set_num_teams(int number) { real_set_num_teams(number); }
int omp_get_max_teams() { return real_get_max_teams(); }
void omp_set_teams_thread_limit(int limit) { real_set_teams_thread_limit(limit); }
int omp_get_teams_thread_limit() { return real_get_teams_thread_limit(); }

int omp_get_device_num() { return real_get_device_num(); }
int omp_get_supported_active_levels() { return real_get_supported_active_levels(); }
int omp_in_explicit_task() { return real_in_explicit_task(); }
void omp_display_env(int verbose) { real_display_env(verbose); }

} // extern "C"
#pragma GCC visibility pop
