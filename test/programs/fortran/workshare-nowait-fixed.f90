! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A loop follows an array assignment that is shared out.
! Fixed: an explicit barrier stands between them.
! threads: 2 8
program workshare_nowait
  implicit none
  real :: a(64), b(64)
  integer :: i
  a = 1.0; b = 2.0
  !$omp parallel private(i)
  !$omp workshare
  a = a + b
  b = 2.0 * a
  !$omp end workshare nowait
  !$omp barrier
  !$omp do schedule(static,1)
  do i = 1, 64
    b(i) = b(i) + a(65-i)
  end do
  !$omp end do
  !$omp end parallel
  print *, a(1) > 0
end program workshare_nowait
