! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The threads of a team set one element of each of two arrays that lie next to each other.
! Fixed: one thread does.
! threads: 2 8
program neighbours
  implicit none
  real :: vector(20), matrix(3, 4)
  vector = 0
  matrix = 0
  !$omp parallel shared(vector, matrix)
  !$omp master
  vector(2) = 1
  matrix(1, 1) = 1
  !$omp end master
  !$omp end parallel
  print '(f3.1)', vector(2) + matrix(1, 1)
end program neighbours
