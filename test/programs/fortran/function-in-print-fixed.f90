! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Numbers are drawn by a function that is called in a print statement, which holds a lock of the library's.
! Fixed: an atomic construct.
! threads: 2 8
program function_in_print
  implicit none
  integer :: i
  !$omp parallel do schedule(static,1)
  do i = 1, 8
    print *, next() > 0
  end do
  !$omp end parallel do
contains
  integer function next()
    integer, save :: drawn = 0
    !$omp atomic
    drawn = drawn + 1
    next = 1
  end function next
end program function_in_print
