! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Results of tasks are printed, and values for tasks are read, by statements that Fortran's library executes.
! Racy: nothing waits for the tasks before the statements.
program transfers
  implicit none
  integer :: total, limits(4), input(2), status, value
  real(8) :: table(3, 4)
  character(len=8) :: name
  character(len=16) :: line = '3 4', text
  total = 0
  limits = 1
  input = 0
  table = 0
  name = 'none'
  !$omp parallel
  !$omp single
  !$omp task shared(total)
  total = 42                      ! RACE(1)
  !$omp end task
  !$omp task shared(limits)
  limits(3) = 7                   ! RACE(2)
  !$omp end task
  !$omp task shared(table)
  table(2, 3) = 1.5d0             ! RACE(3)
  !$omp end task
  !$omp task shared(name)
  name(1:1) = 'N'                 ! RACE(4)
  !$omp end task
  !$omp task shared(input)
  input(2) = input(2) + 1         ! RACE(5a)
  !$omp end task
  !$omp task shared(text)
  write (text, '(i0)') 5          ! RACE(6)
  !$omp end task
  !$omp task shared(line, status) private(value)
  read (line, *, iostat=status) value ! RACE(7)
  !$omp end task
  print *, total                  ! RACE(1)
  print *, limits                 ! RACE(2)
  print *, table(2, :)            ! RACE(3)
  print *, name                   ! RACE(4)
  read (line, *) input            ! RACE(5b)
  print *, table(1, :)
  write (text, '(i0)') 6          ! RACE(6)
  read (line, *, iostat=status) limits(1) ! RACE(7)
  !$omp end single
  !$omp end parallel
  print *, text
end program transfers
