! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A loop follows an array assignment that is shared out.
! Racy: nowait removes the barrier between the two.
! threads: 2 8
program workshare_nowait
  implicit none
  real :: a(64), b(64)
  integer :: i
  a = 1.0; b = 2.0
  !$omp parallel private(i)
  !$omp workshare
  a = a + b   ! RACE(1a): gfortran makes one loop of both
  b = 2.0 * a ! RACE(1a)
  !$omp end workshare nowait
  !$omp do schedule(static,1)
  do i = 1, 64
    b(i) = b(i) + a(65-i) ! RACE(1b)
  end do
  !$omp end do
  !$omp end parallel
  print *, a(1) > 0
end program workshare_nowait
