! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A task computes a value for its parent.
! Fixed: the parent waits first.
program missing_taskwait
  implicit none
  integer :: value, got
  value = 0
  got = 0
  !$omp parallel shared(value, got)
  !$omp single
  !$omp task shared(value)
  value = 42
  !$omp end task
  !$omp taskwait
  got = value
  !$omp end single
  !$omp end parallel
  print '(a,i0)', 'got = ', got
end program missing_taskwait
