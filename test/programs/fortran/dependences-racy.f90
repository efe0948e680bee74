! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A producer and a consumer.
! Racy: the consumer names the wrong variable.
program dependences
  implicit none
  integer :: x, y, got
  x = 0
  y = 0
  got = 0
  !$omp parallel shared(x, y, got)
  !$omp single
  !$omp task shared(x) depend(out: x)
  x = 42 ! RACE(1)
  !$omp end task
  !$omp task shared(x, got) depend(in: y) ! MAY(unmatched-dependence)
  got = x ! RACE(1)
  !$omp end task
  !$omp end single
  !$omp end parallel
  print '(a,i0)', 'got = ', got
end program dependences
