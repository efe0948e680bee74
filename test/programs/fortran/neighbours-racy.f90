! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The threads of a team set one element of each of two arrays that lie next to each other.
! Racy: it is the same element for all of them. The report has to name both arrays, so it must not take them to overlap:
! where no lower bound is written it is 1.
! threads: 2 8
program neighbours
  implicit none
  real :: vector(20), matrix(3, 4)
  vector = 0
  matrix = 0
  !$omp parallel shared(vector, matrix)
  vector(2) = 1 ! RACE(1,1) NAMES(vector)
  matrix(1, 1) = 1 ! RACE(2,2) NAMES(matrix)
  !$omp end parallel
  print '(f3.1)', vector(2) + matrix(1, 1)
end program neighbours
