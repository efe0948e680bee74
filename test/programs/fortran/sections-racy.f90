! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Two sections work at the same time.
! Racy: one reads what the other one sets.
! threads: 2 8
program sections
  implicit none
  integer :: a, b, c
  a = 1; b = 2; c = 0
  !$omp parallel sections num_threads(2)
  !$omp section
  a = 5        ! RACE(1)
  !$omp section
  c = a + b    ! RACE(1)
  !$omp end parallel sections
  print *, a + c > 0
end program sections
