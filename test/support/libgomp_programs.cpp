// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/support/libgomp_programs.hpp"

namespace fletcher::test {

const std::string newer_routines_c = R"(#include <omp.h>
#include <stdint.h>
#include <stdio.h>
int main(void) {
  omp_alloctrait_t traits[] = {{omp_atk_alignment, 128}};
  omp_allocator_handle_t aligned = omp_init_allocator(omp_default_mem_space, 1, traits);
  char* block = omp_alloc(64, aligned);
  printf("allocator %d\n", (int)((uintptr_t)block % 128));
  omp_free(block, aligned);
  omp_set_default_allocator(aligned);
  printf("default %d\n", omp_get_default_allocator() == aligned);
  omp_set_default_allocator(omp_default_mem_alloc);
  omp_destroy_allocator(aligned);
  omp_set_num_teams(3);
  omp_set_teams_thread_limit(1);
  int teams = 0, threads = 0;
#pragma omp teams reduction(+ : teams)
  teams++;
#pragma omp teams reduction(max : threads)
#pragma omp parallel reduction(max : threads)
  threads = omp_get_num_threads();
  printf("teams %d %d, threads %d %d\n", omp_get_max_teams(), teams, omp_get_teams_thread_limit(), threads);
  printf("levels %d, device %d\n", omp_get_supported_active_levels() > 0,
         omp_get_device_num() == omp_get_initial_device());
  int done = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : done) shared(done)
    done = 1;
    omp_fulfill_event(event);
#pragma omp task depend(in : done) shared(done)
    printf("event %d\n", done);
  }
  return 0;
}
)";
const std::string newer_routines_say = "allocator 0\ndefault 1\nteams 3 3, threads 1 1\nlevels 1, device 1\nevent 1\n";

const std::string newer_routines_fortran = R"(program p
  use omp_lib
  implicit none
  type(omp_alloctrait) :: traits(1) = [omp_alloctrait(omp_atk_alignment, 128)]
  integer(omp_allocator_handle_kind) :: aligned
  integer(omp_event_handle_kind) :: event
  integer(omp_sched_kind) :: kind
  integer :: teams, done, chunk, i
  integer, allocatable :: x(:)
  aligned = omp_init_allocator(omp_default_mem_space, 1, traits)
  call omp_set_default_allocator(aligned)
  print '(a,l1)', 'default ', omp_get_default_allocator() == aligned
  call omp_set_default_allocator(omp_default_mem_alloc)
  teams = 0
  !$omp parallel do allocate(aligned: x) private(x) reduction(+: teams)
  do i = 1, 10
    allocate(x(10))
    x = i
    teams = teams + sum(x)
    deallocate(x)
  end do
  print '(a,i0)', 'allocated ', teams
  call omp_destroy_allocator(aligned)
  call omp_set_num_teams(3)
  call omp_set_teams_thread_limit(1)
  teams = 0
  !$omp teams reduction(+: teams)
  teams = teams + 1
  !$omp end teams
  print '(a,i0,1x,i0,a,i0)', 'teams ', omp_get_max_teams(), teams, ', threads ', omp_get_teams_thread_limit()
  print '(a,l1,a,l1)', 'levels ', omp_get_supported_active_levels() > 0, ', device ', &
    omp_get_device_num() == omp_get_initial_device()
  call omp_set_dynamic(.false.)
  call omp_set_max_active_levels(1)
  call omp_set_schedule(omp_sched_dynamic, 5)
  call omp_get_schedule(kind, chunk)
  print '(a,i0,a,i0)', 'schedule ', iand(int(kind), 255), ', chunk ', chunk
  call omp_set_num_threads(2)
  done = 0
  !$omp parallel
  !$omp single
  print '(a,i0,a,i0)', 'team ', omp_get_team_size(1), ', ancestor ', omp_get_ancestor_thread_num(0)
  !$omp task detach(event) depend(out: done) shared(done)
  done = 1
  !$omp end task
  call omp_fulfill_event(event)
  !$omp task depend(in: done) shared(done)
  print '(a,i0)', 'event ', done
  !$omp end task
  !$omp end single
  !$omp end parallel
end program
)";
const std::string newer_routines_say_in_fortran =
    "default T\nallocated 550\nteams 3 3, threads 1\nlevels T, device T\nschedule 2, chunk 5\nteam 2, ancestor 0\n"
    "event 1\n";

} // namespace fletcher::test
