! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! One task clears an array, another one copies it.
! Racy: nothing orders the tasks.
program whole_array
  implicit none
  integer :: a(200), b(200)
  a = 1
  b = 2
  !$omp parallel shared(a, b)
  !$omp single
  !$omp task
  a = 0 ! RACE(1)
  !$omp end task
  !$omp task
  b = a ! RACE(1)
  !$omp end task
  !$omp end single
  !$omp end parallel
  print '(a,i0)', 'b(1) = ', b(1)
end program whole_array
