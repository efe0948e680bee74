! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A loop sums an array.
! Racy: into a shared variable.
! threads: 2 8
program sum_of_array
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), i, total
  total = 0
  do i = 1, n
    a(i) = i
  end do
  !$omp parallel do schedule(static) shared(a, total)
  do i = 1, n
    total = total + a(i) ! RACE(1,1)
  end do
  !$omp end parallel do
  print '(a,i0)', 'total = ', total
end program sum_of_array
