! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Recursive merge sort: a task for each half, then the halves are merged.
!
! Racy: the merge starts without waiting for the two tasks that sort the halves.
module sorting
  implicit none
  integer, parameter :: cutoff = 64
contains
  subroutine insertion_sort(values)
    integer, intent(inout) :: values(:)
    integer :: i, j, value
    do i = 2, size(values)
      value = values(i) ! RACE(1*)
      j = i
      do while (j > 1)
        if (values(j - 1) <= value) exit ! RACE(1*)
        values(j) = values(j - 1) ! RACE(1*)
        j = j - 1
      end do
      values(j) = value ! RACE(1*)
    end do
  end subroutine insertion_sort

  ! Merges two sorted halves by way of the buffer.
  subroutine merge_halves(values, buffer, half)
    integer, intent(inout) :: values(:), buffer(:)
    integer, intent(in) :: half
    integer :: left, right, k, n
    logical :: take_left
    n = size(values)
    left = 1
    right = half + 1
    do k = 1, n
      take_left = right > n
      if (.not. take_left .and. left <= half) take_left = values(left) <= values(right) ! RACE(1*)
      if (take_left) then
        buffer(k) = values(left) ! RACE(1*)
        left = left + 1
      else
        buffer(k) = values(right) ! RACE(1*)
        right = right + 1
      end if
    end do
    do k = 1, n
      values(k) = buffer(k) ! RACE(1*)
    end do
  end subroutine merge_halves

  recursive subroutine merge_sort(values, buffer, first, last)
    integer, intent(inout) :: values(:), buffer(:)
    integer, intent(in) :: first, last
    integer :: middle
    if (last - first < cutoff) then
      call insertion_sort(values(first:last))
      return
    end if
    middle = (first + last) / 2
    !$omp task shared(values, buffer) firstprivate(first, middle)
    call merge_sort(values, buffer, first, middle)
    !$omp end task
    !$omp task shared(values, buffer) firstprivate(middle, last)
    call merge_sort(values, buffer, middle + 1, last)
    !$omp end task
    call merge_halves(values(first:last), buffer(first:last), middle - first + 1)
    ! The frame must outlive the tasks that share it; this wait is too late for the merge.
    !$omp taskwait
  end subroutine merge_sort
end module sorting

program sort_values
  use sorting
  implicit none
  integer, parameter :: length = 4096
  integer, allocatable :: values(:), buffer(:)
  integer :: i, state
  allocate (values(length), buffer(length))
  state = 1
  do i = 1, length
    state = mod(state * 1103 + 12345, 65521)
    values(i) = state
  end do

  !$omp parallel shared(values, buffer)
  !$omp single
  call merge_sort(values, buffer, 1, length)
  !$omp end single
  !$omp end parallel

  if (all(values(1:length - 1) <= values(2:length))) then
    print '(a,i0,a)', 'merge sort of ', length, ' values: sorted'
  else
    print '(a,i0,a)', 'merge sort of ', length, ' values: NOT SORTED'
  end if
end program sort_values
