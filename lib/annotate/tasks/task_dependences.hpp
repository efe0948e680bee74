// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// depend clauses: for each address the points of the ends of its siblings that a task comes after.
#pragma once

#include "lib/annotate/records.hpp"

#include <span>
#include <vector>

namespace fletcher::annotate {

/// What a list of `creator`'s names.
std::vector<Dependent> places_of(Task& creator, std::span<const Dependence> list);
void come_after(const ThreadSanitizer& sanitizer, const Dependent& one, Task& creator);
/// The task has ended.
void release_dependences(const ThreadSanitizer& sanitizer, const Task& task, Task& creator);

} // namespace fletcher::annotate
