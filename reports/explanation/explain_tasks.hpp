// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks and accesses as they read in the sentences of a diagnostic.
#pragma once

#include "reports/explanation/explain.hpp"

namespace fletcher::reports {

/// "the task created at line 7", "thread 1 of the parallel region at line 3".
std::string task_words(const Side& one, const SourcePlace& seen_from, const SourceText& sources);
/// As task_words, but says what it shares with the task named just before.
std::string other_task_words(const Side& first, const Side& second, const SourcePlace& seen_from,
                             const SourceText& sources);
/// "write of 4 bytes", "memcpy reads its argument 2".
std::string access_words(const AccessDescription& access);
/// What a note at the creation of `task` says, which is `depth` tasks around the one of the side; `both`: it created
/// the tasks of both sides.
std::string creation_words(const TaskDescription& task, const Side& one, std::size_t depth, bool both, Rule rule);
/// Of a chain of tasks too long to be listed; empty for others.
std::string length_words(const std::vector<TaskDescription>& tasks);

} // namespace fletcher::reports
