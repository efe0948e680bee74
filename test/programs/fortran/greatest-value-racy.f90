! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The greatest square of a field, and where it is.
! Racy: all threads use one temporary, and compare and set the result without exclusion.
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
  !$omp parallel do
  do i = 1, n
    square = field(i) * field(i) ! RACE(1*) NAMES(square)
    if (square > greatest) then ! RACE(1*) RACE(2*)
      greatest = square ! RACE(1*) RACE(2*)
      place = i ! ALSO(3) NAMES(place)
    end if
  end do
  !$omp end parallel do
  print *, place >= 0
end program
