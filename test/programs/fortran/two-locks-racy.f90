! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Even and odd iterations change a total, each under a lock.
! Racy: they hold two different locks.
! threads: 2 8
program two_locks
  use omp_lib
  implicit none
  integer(omp_lock_kind) :: la, lb
  integer :: total, i
  total = 0
  call omp_init_lock(la); call omp_init_lock(lb)
  !$omp parallel do schedule(static,1)
  do i = 1, 40
    if (mod(i, 2) == 0) then
      call omp_set_lock(la)
      total = total + 1     ! RACE(1)
      call omp_unset_lock(la)
    else
      call omp_set_lock(lb)
      total = total - 1     ! RACE(1)
      call omp_unset_lock(lb)
    end if
  end do
  !$omp end parallel do
  call omp_destroy_lock(la); call omp_destroy_lock(lb)
  print *, total
end program two_locks
