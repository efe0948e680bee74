! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Two sections work at the same time.
! Fixed: each has its own variables.
! threads: 2 8
program sections
  implicit none
  integer :: a, b, c
  a = 1; b = 2; c = 0
  !$omp parallel sections num_threads(2)
  !$omp section
  a = 5
  !$omp section
  c = b + 1
  !$omp end parallel sections
  print *, a + c > 0
end program sections
