// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prime numbers among random ones, which all threads look for, and a count of what they have met by the last digit: a
// few variables for all, for a statistic that may be wrong by some.
#include "kernel.h"

static long met[10];

static int is_prime(unsigned n) {
  for (unsigned d = 2; d * d <= n; d++)
    if (n % d == 0) return 0;
  return n > 1;
}

int main(int argc, char** argv) {
  long numbers = scaled(30000000, argc, argv);
  long primes = 0, sum = 0;
#pragma omp parallel for reduction(+ : primes)
  for (long i = 0; i < numbers; i++) {
    unsigned long long state = (unsigned long long)i;
    unsigned n = (unsigned)(random_bits(&state) >> 52);
    primes += is_prime(n);
#ifdef REPAIRED
#pragma omp atomic
#endif
    met[n % 10]++;
  }
  for (int digit = 0; digit < 10; digit++) sum += met[digit];
  if (sum > numbers) return 1;
  return checksum((double)primes);
}
