! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Even threads deposit, odd threads withdraw, each in a critical section.
! Racy: the sections have different names and do not exclude each other.
! threads: 2 8
module account
  implicit none
  integer :: balance = 100
contains
  subroutine deposit(amount)
    integer, intent(in) :: amount
    !$omp critical (deposits)
    balance = balance + amount ! RACE(1)
    !$omp end critical (deposits)
  end subroutine deposit
  subroutine withdraw(amount)
    integer, intent(in) :: amount
    !$omp critical (withdrawals)
    balance = balance - 2 * amount ! RACE(1)
    !$omp end critical (withdrawals)
  end subroutine withdraw
end module account

program critical_names
  use omp_lib
  use account
  implicit none
  !$omp parallel num_threads(2 * ((omp_get_max_threads() + 1) / 2))
  if (mod(omp_get_thread_num(), 2) == 0) then
    call deposit(2)
  else
    call withdraw(1)
  end if
  !$omp end parallel
  print '(a,i0)', 'balance = ', balance
end program critical_names
