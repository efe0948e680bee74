! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Histogram of a sample of random numbers.
!
! Fixed: the count is incremented atomically.
program histogram
  implicit none
  integer, parameter :: samples = 10000, bins = 32
  integer :: sample(samples), counts(bins), i, bin, state
  state = 1
  do i = 1, samples
    state = mod(state * 1103 + 12345, 65521)
    sample(i) = state
  end do
  counts = 0

  !$omp parallel do schedule(static) shared(sample, counts) private(bin)
  do i = 1, samples
    bin = 1 + mod(sample(i), bins)
    !$omp atomic update
    counts(bin) = counts(bin) + 1
  end do
  !$omp end parallel do

  if (sum(counts) == samples) then
    print '(a,i0,a)', 'counted all of ', samples, ' samples'
  else
    print '(a,i0,a)', 'counted NOT ALL of ', samples, ' samples'
  end if
end program histogram
