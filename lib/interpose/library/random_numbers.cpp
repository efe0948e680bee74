// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generators of random numbers whose state is the caller's, as accesses of the instrumented code that calls them: a
// seed that threads share is one of the oldest mistakes there are.

#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

#include <cstdlib>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using State = unsigned short; // 48 bits in three of them

constinit Real<int(unsigned*) noexcept> real_rand_r{"rand_r"};
constinit Real<double(State*) noexcept> real_erand48{"erand48"};
constinit Real<long(State*) noexcept> real_nrand48{"nrand48"}, real_jrand48{"jrand48"};

void goes_on(access::ThreadState& thread, Address pc, int, unsigned* seed) { writes(thread, seed, sizeof *seed, pc); }
template <class Number> void goes_on_48(access::ThreadState& thread, Address pc, Number, State* state) {
  writes(thread, state, 3 * sizeof *state, pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int rand_r(unsigned* seed) noexcept { return with_results<goes_on, real_rand_r>(caller(), seed); }
double erand48(State* state) noexcept { return with_results<goes_on_48<double>, real_erand48>(caller(), state); }
long nrand48(State* state) noexcept { return with_results<goes_on_48<long>, real_nrand48>(caller(), state); }
long jrand48(State* state) noexcept { return with_results<goes_on_48<long>, real_jrand48>(caller(), state); }

} // extern "C"
#pragma GCC visibility pop
