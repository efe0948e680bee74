! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Fletcher's Fortran module: races that are meant are not told, with Fletcher; without it the routines do nothing.
program annotations
  use, intrinsic :: iso_c_binding
  use fletcher
  implicit none
  integer, target :: statistics(8), ignored
  integer :: i
  statistics = 0
  ignored = 0
  call fletcher_benign_race(statistics(1), int(32, c_size_t), 'an estimate will do')
  call fletcher_new_memory(statistics(1), int(32, c_size_t))
  !$omp parallel do num_threads(2) schedule(static)
  do i = 1, 100
    statistics(3) = statistics(3) + 1
    call fletcher_ignore_begin()
    ignored = ignored + 1
    call fletcher_ignore_end()
  end do
  !$omp end parallel do
  call fletcher_happens_before(ignored)
  call fletcher_happens_after(ignored)
  call fletcher_lock_acquired(ignored)
  call fletcher_lock_releasing(ignored)
  if (fletcher_is_checking()) print '(a)', 'serial code is not checked'
  if (statistics(3) >= 1 .and. ignored >= 1) print '(a)', 'ok'
end program annotations
