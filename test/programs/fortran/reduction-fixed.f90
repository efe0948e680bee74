! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A loop sums an array.
! Fixed: with a reduction.
program sum_of_array
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), i, total
  total = 0
  do i = 1, n
    a(i) = i
  end do
  !$omp parallel do schedule(static) shared(a) reduction(+: total)
  do i = 1, n
    total = total + a(i)
  end do
  !$omp end parallel do
  print '(a,i0)', 'total = ', total
end program sum_of_array
