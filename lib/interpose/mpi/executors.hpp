// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What executes MPI's operations, as far as the checker is concerned: threads of their own, and numbers that stand for
// their ends. As many are made as are needed at the same time.
#pragma once

#include "checker/checker.hpp"

#include <cstdint>

namespace fletcher::interpose::mpi {

/// Of a program that never completes its operations the further ones have no number, and are not followed.
constexpr std::uint32_t no_slot = ~0u;
std::uint32_t take_slot();
void give_back(std::uint32_t slot);

/// A number that no object has stands for the end of an operation.
constexpr Address end_of(std::uint32_t slot) noexcept { return (Address{3} << 62) + slot; }

access::ThreadState& take_thread(Checker& checker);
void give_back(access::ThreadState& thread);

class Executor {
public:
  explicit Executor(Checker& checker) : thread_(take_thread(checker)) {}
  ~Executor() { give_back(thread_); }
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  access::ThreadState& thread() const noexcept { return thread_; }

private:
  access::ThreadState& thread_;
};

} // namespace fletcher::interpose::mpi
