! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Results of tasks are printed, and values for tasks are read, by statements that Fortran's library executes.
! Repaired: a taskwait stands before the statements.
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
  total = 42
  !$omp end task
  !$omp task shared(limits)
  limits(3) = 7
  !$omp end task
  !$omp task shared(table)
  table(2, 3) = 1.5d0
  !$omp end task
  !$omp task shared(name)
  name(1:1) = 'N'
  !$omp end task
  !$omp task shared(input)
  input(2) = input(2) + 1
  !$omp end task
  !$omp task shared(text)
  write (text, '(i0)') 5
  !$omp end task
  !$omp task shared(line, status) private(value)
  read (line, *, iostat=status) value
  !$omp end task
  !$omp taskwait
  print *, total
  print *, limits
  print *, table(2, :)
  print *, name
  read (line, *) input
  print *, table(1, :)
  write (text, '(i0)') 6
  read (line, *, iostat=status) limits(1)
  !$omp end single
  !$omp end parallel
  print *, text
end program transfers
