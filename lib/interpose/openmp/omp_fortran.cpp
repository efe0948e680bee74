// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP's routines by the names that gfortran gives them: an underscore at the end, arguments by reference, where the
// default integer has 8 bytes also _8_. LLVM's runtime takes some of these arguments by value, has nothing for integers
// of 8 bytes, and of others not the version that libgomp gave them (omp_newer.cpp). So they become C's routines, which
// both runtimes have alike. Those that LLVM's runtime has right are not here.

#include "lib/interpose/real.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using namespace fletcher::interpose;

namespace {

using Handle = std::uintptr_t;
using Long = std::int64_t; ///< an integer or a logical of 8 bytes

constinit Real<void(Handle)> fulfill_event{"omp_fulfill_event"};
constinit Real<Handle(Handle, int, const void*)> init_allocator{"omp_init_allocator"};
constinit Real<void(Handle)> destroy_allocator{"omp_destroy_allocator"},
    set_default_allocator{"omp_set_default_allocator"};
constinit Real<Handle()> get_default_allocator{"omp_get_default_allocator"};
constinit Real<void(int)> set_num_teams{"omp_set_num_teams"}, set_teams_thread_limit{"omp_set_teams_thread_limit"},
    display_env{"omp_display_env"}, set_num_threads{"omp_set_num_threads"}, set_dynamic{"omp_set_dynamic"},
    set_nested{"omp_set_nested"}, set_max_active_levels{"omp_set_max_active_levels"},
    set_default_device{"omp_set_default_device"};
constinit Real<int()> get_max_teams{"omp_get_max_teams"}, get_teams_thread_limit{"omp_get_teams_thread_limit"},
    get_device_num{"omp_get_device_num"}, get_supported_active_levels{"omp_get_supported_active_levels"},
    in_explicit_task{"omp_in_explicit_task"}, get_partition_num_places{"omp_get_partition_num_places"};
constinit Real<int(int)> get_ancestor_thread_num{"omp_get_ancestor_thread_num"}, get_team_size{"omp_get_team_size"},
    get_place_num_procs{"omp_get_place_num_procs"};
constinit Real<void(int, int)> set_schedule{"omp_set_schedule"};
constinit Real<void(int*, int*)> get_schedule{"omp_get_schedule"};
constinit Real<void(int, int*)> get_place_proc_ids{"omp_get_place_proc_ids"};
constinit Real<void(int*)> get_partition_place_nums{"omp_get_partition_place_nums"};

int narrow(const Long* value) noexcept {
  return static_cast<int>(std::clamp<Long>(*value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

/// Has `fill` write so many numbers.
template <class Fill> void widen(int count, Long* to, Fill fill) {
  std::vector<int> numbers(static_cast<std::size_t>(std::max(count, 0)));
  fill(numbers.data());
  std::copy(numbers.begin(), numbers.end(), to);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int omp_pause_resource(int kind, int device); // omp_pause.cpp
int omp_pause_resource_all(int kind);

void omp_fulfill_event_(Handle event) { fulfill_event(event); } // this one by value, in both

Handle omp_init_allocator_(const Handle* space, const int* count, const void* traits) {
  return init_allocator(*space, *count, traits);
}
Handle omp_init_allocator_8_(const Handle* space, const Long* count, const void* traits) {
  return init_allocator(*space, narrow(count), traits);
}
void omp_destroy_allocator_(const Handle* allocator) { destroy_allocator(*allocator); }
void omp_set_default_allocator_(const Handle* allocator) { set_default_allocator(*allocator); }
Handle omp_get_default_allocator_() { return get_default_allocator(); }

void omp_set_num_teams_(const int* number) { set_num_teams(*number); }
void omp_set_num_teams_8_(const Long* number) { set_num_teams(narrow(number)); }
int omp_get_max_teams_() { return get_max_teams(); }
void omp_set_teams_thread_limit_(const int* limit) { set_teams_thread_limit(*limit); }
void omp_set_teams_thread_limit_8_(const Long* limit) { set_teams_thread_limit(narrow(limit)); }
int omp_get_teams_thread_limit_() { return get_teams_thread_limit(); }

int omp_get_device_num_() { return get_device_num(); }
int omp_get_supported_active_levels_() { return get_supported_active_levels(); }
int omp_in_explicit_task_() { return in_explicit_task(); }
void omp_display_env_(const int* verbose) { display_env(*verbose); }
void omp_display_env_8_(const Long* verbose) { display_env(narrow(verbose)); }

int omp_pause_resource_(const int* kind, const int* device) { return omp_pause_resource(*kind, *device); }
int omp_pause_resource_all_(const int* kind) { return omp_pause_resource_all(*kind); }

int omp_get_place_num_procs_(const int* place) { return get_place_num_procs(*place); }
int omp_get_place_num_procs_8_(const Long* place) { return get_place_num_procs(narrow(place)); }
void omp_get_place_proc_ids_(const int* place, int* ids) { get_place_proc_ids(*place, ids); }
void omp_get_place_proc_ids_8_(const Long* place, Long* ids) {
  widen(get_place_num_procs(narrow(place)), ids, [&](int* to) { get_place_proc_ids(narrow(place), to); });
}
void omp_get_partition_place_nums_8_(Long* places) {
  widen(get_partition_num_places(), places, [](int* to) { get_partition_place_nums(to); });
}

void omp_set_num_threads_8_(const Long* number) { set_num_threads(narrow(number)); }
void omp_set_dynamic_8_(const Long* on) { set_dynamic(narrow(on)); }
void omp_set_nested_8_(const Long* on) { set_nested(narrow(on)); }
void omp_set_max_active_levels_8_(const Long* levels) { set_max_active_levels(narrow(levels)); }
void omp_set_default_device_8_(const Long* device) { set_default_device(narrow(device)); }
int omp_get_ancestor_thread_num_8_(const Long* level) { return get_ancestor_thread_num(narrow(level)); }
int omp_get_team_size_8_(const Long* level) { return get_team_size(narrow(level)); }
void omp_set_schedule_8_(const int* kind, const Long* chunk) { set_schedule(*kind, narrow(chunk)); }
void omp_get_schedule_8_(int* kind, Long* chunk) {
  widen(1, chunk, [kind](int* to) { get_schedule(kind, to); });
}

} // extern "C"
#pragma GCC visibility pop
