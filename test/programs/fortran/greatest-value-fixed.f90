! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The greatest square of a field, and where it is.
! Fixed: each thread has a temporary, and one thread at a time compares and sets.
! threads: 2 8
program greatest_value
  implicit none
  integer, parameter :: n = 1000
  real(8) :: field(n), greatest, square
  integer :: i, place
  do i = 1, n
    field(i) = mod(i * 7, 1009)
  end do
  greatest = -1
  place = 0
  !$omp parallel do private(square)
  do i = 1, n
    square = field(i) * field(i)
    !$omp critical (greatest_update)
    if (square > greatest) then
      greatest = square
      place = i
    end if
    !$omp end critical (greatest_update)
  end do
  !$omp end parallel do
  print *, place, sqrt(greatest)
end program
