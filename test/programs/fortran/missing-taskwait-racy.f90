! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A task computes a value for its parent.
! Racy: the parent reads it at once.
program missing_taskwait
  implicit none
  integer :: value, got
  value = 0
  got = 0
  !$omp parallel shared(value, got)
  !$omp single
  !$omp task shared(value)
  value = 42 ! RACE(1)
  !$omp end task
  got = value ! RACE(1)
  !$omp end single
  !$omp end parallel
  print '(a,i0)', 'got = ', got
end program missing_taskwait
