// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates of a sum: each thread, team or task has a copy of its own, and the copies are combined at the end.
#pragma once

#include "reports/repair/data/accesses.hpp"

#include <optional>
#include <string>

namespace fletcher::reports {

/// The construct around all of them gets a reduction clause.
std::optional<Repair> reduction_of_loop(const Accesses& accesses);
/// Each team has a copy.
std::optional<Repair> reduction_of_teams(const Accesses& accesses, const DirectiveText& teams);
/// Tasks that update what the taskgroup or region around them reduces for its tasks.
std::optional<Repair> part_of_reduction(const Accesses& accesses);

/// A construct around a site reduces the variable already: there is a copy for each thread or task that takes part.
bool is_reduced_around(const Accesses& accesses);
/// Tasks of a construct that reduces it for them, by whatever way they come from there, take part instead.
bool is_reduced_for_tasks(const Accesses& accesses, const std::string& name);
/// The construct divides its work among threads.
bool shares_work(const DirectiveText& directive);

} // namespace fletcher::reports
