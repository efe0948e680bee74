! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! One loop fills an array, the next reads it backwards.
! Fixed: the first loop ends with its implicit barrier.
program do_nowait
  implicit none
  integer, parameter :: n = 200
  integer :: a(n), b(n), i
  !$omp parallel shared(a, b) private(i)
  !$omp do schedule(static)
  do i = 1, n
    a(i) = i
  end do
  !$omp end do
  !$omp do schedule(static)
  do i = 1, n
    b(i) = a(n + 1 - i)
  end do
  !$omp end do
  !$omp end parallel
  print '(a,i0)', 'b(1) = ', b(1)
end program do_nowait
