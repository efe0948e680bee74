// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life of the program's heap blocks, whichever function made or ended them; and what a report says of one.
#pragma once

#include "checker/finding.hpp"
#include "lib/interpose/observe.hpp"

#include <optional>

namespace fletcher::interpose {

/// The program got `size` bytes at `block` (null: it did not). To be called after the allocation.
void* block_begins(access::ThreadState& thread, void* block, std::size_t size, Address pc);
/// The program gives `block` back. To be called before another thread can get it. `size`: where it is not known here.
void block_ends(access::ThreadState& thread, void* block, std::size_t size, Address pc);

/// The OpenMP runtime allocates for itself: nothing that the checker judges, but it may turn out to hold reduction
/// copies.
void* runtime_block_begins(void* block, std::size_t size);
void runtime_block_ends(void* block);

/// operator new and others that call malloc leave their caller's address for it on this thread, and jump there.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Address allocation_pc = 0;

/// The OpenMP runtime is allocating memory of a device on this thread: what comes behind it in the process's heap is to
/// be nobody's, so that an access beyond its end is seen for what it is.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local bool allocates_on_device = false;

/// The heap block that holds the address, with the stack of its allocation. For findings, while they are made.
std::optional<ObjectDescription> describe_heap(Address address);

} // namespace fletcher::interpose
