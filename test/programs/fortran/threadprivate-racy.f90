! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Variables of a module count per thread.
! Racy: one of the two is not threadprivate.
! threads: 2 8
module state
  implicit none
  integer :: counter = 0
  integer :: work = 0
  !$omp threadprivate(counter)
end module
program threadprivate
  use state
  implicit none
  integer :: i, tot
  tot = 0
  !$omp parallel reduction(+:tot)
  !$omp do schedule(static)
  do i = 1, 40
    counter = counter + 1
    work = work + i          ! RACE(1,1)
  end do
  !$omp end do
  tot = tot + counter
  !$omp end parallel
  print *, tot
end program threadprivate
