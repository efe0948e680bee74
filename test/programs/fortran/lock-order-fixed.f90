! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Pairs of locks of an array are taken in the order of their numbers.
! levels: native graph
program ordered_locks
  use omp_lib
  implicit none
  integer, parameter :: n = 6
  integer(omp_lock_kind) :: locks(n)
  integer :: counts(n), i, j, k
  counts = 0
  do i = 1, n
    call omp_init_lock(locks(i))
  end do
  !$omp parallel do schedule(dynamic, 1) private(j, k)
  do i = 1, 120
    j = mod(i, n) + 1
    k = mod(i * 5 + 2, n) + 1
    if (j == k) cycle
    call omp_set_lock(locks(min(j, k)))
    call omp_set_lock(locks(max(j, k)))
    counts(j) = counts(j) + 1
    counts(k) = counts(k) + 1
    call omp_unset_lock(locks(max(j, k)))
    call omp_unset_lock(locks(min(j, k)))
  end do
  do i = 1, n
    call omp_destroy_lock(locks(i))
  end do
  print *, sum(counts)
end program
