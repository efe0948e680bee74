! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Heat conduction in a block: each step averages the six neighbours of each cell into a second grid and copies it back.
!
! Racy: nowait lets a thread copy its planes back while its neighbour still reads the plane at their border.
! threads: 2 8
module heat
  implicit none
  integer, parameter :: n = 20, steps = 8
contains
  subroutine simulate(now, next)
    real(8), intent(inout) :: now(n, n, n), next(n, n, n)
    integer :: i, j, k, step
    !$omp parallel shared(now, next) private(i, j, k, step)
    do step = 1, steps
      !$omp do schedule(static)
      do k = 2, n - 1
        do j = 2, n - 1
          do i = 2, n - 1
            next(i, j, k) = neighbours(now, i, j, k) / 6
          end do
        end do
      end do
      !$omp end do nowait

      !$omp do schedule(static)
      do k = 2, n - 1
        do j = 2, n - 1
          do i = 2, n - 1
            now(i, j, k) = next(i, j, k) ! RACE(1)
          end do
        end do
      end do
      !$omp end do
    end do
    !$omp end parallel
  end subroutine simulate

  pure real(8) function neighbours(grid, i, j, k)
    real(8), intent(in) :: grid(n, n, n)
    integer, intent(in) :: i, j, k
    real(8) :: along_i, along_j, along_k
    along_i = grid(i - 1, j, k) + grid(i + 1, j, k)
    along_j = grid(i, j - 1, k) + grid(i, j + 1, k)
    along_k = grid(i, j, k - 1) + grid(i, j, k + 1) ! RACE(1)
    neighbours = along_i + along_j + along_k
  end function neighbours
end module heat

program stencil
  use heat
  implicit none
  real(8), allocatable :: now(:, :, :), next(:, :, :)
  allocate (now(n, n, n), next(n, n, n))
  now = 0
  next = 0
  now(:, :, 1) = 100
  call simulate(now, next)
  if (now(n / 2, n / 2, 1) == 100 .and. now(n / 2, n / 2, 2) > 0) then
    print '(a,i0,a)', 'heat after ', steps, ' steps: plausible'
  else
    print '(a,i0,a)', 'heat after ', steps, ' steps: WRONG'
  end if
end program stencil
