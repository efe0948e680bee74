// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that set or unset a lock, of OpenMP, POSIX and C11, and guards of C++, as they stand on a line of their own.
#pragma once

#include "reports/repair/source/code.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

struct LockCall {
  std::string function, lock; ///< "omp_set_lock", "&lock"
};

std::optional<LockCall> lock_call(std::string_view line);
/// Of a lock that is a member: "&account->lock". Which one that is depends on the object.
std::optional<LockCall> member_lock_call(std::string_view line);
/// "account" of "&account->lock"; empty for a lock that is no member.
std::string object_of_lock(std::string_view lock);
/// One of OpenMP, alone on its line.
std::optional<LockCall> omp_lock_call(const Code& code, std::uint32_t line);
bool is_same_lock(const LockCall& a, const LockCall& b);

/// The function that undoes one that sets a lock; empty for others.
std::string_view undone_by(std::string_view function);

/// What `std::lock_guard<std::mutex> hold(mutex);` locks, where that is all that the line has; also of unique_lock, and
/// of scoped_lock with one mutex. Empty for another line.
std::string guarded_mutex(std::string_view line);
/// What a scoped_lock locks, one mutex or several.
std::vector<std::string> guarded_together(std::string_view line);

} // namespace fletcher::reports
