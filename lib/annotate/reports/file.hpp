// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where ThreadSanitizer's runtime judges the accesses, it writes what it has to say into a file without a name. From
// there its reports become findings like the checker's own; everything else that it says goes where it would have gone.
#pragma once

#include "lib/tool/findings/collector.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fletcher::annotate {

/// From now on. Nothing where the library is behind the program, whose _exit would go past it; or where the system
/// gives no such file.
void take_reports() noexcept;

/// One came since.
bool has_new_reports() noexcept;

/// What was written from there on; `begin` becomes 0 where this is another process's file.
std::string reports_from(std::uint64_t& begin);

/// What came since the last time. `all`: nothing of it is left for later. One call at a time.
void read_reports(tool::Collector& collector, const std::string& program, bool all);

/// The runtime tells nothing any more, though the program may use it again (omp_pause_resource_all): no finding comes
/// of later reports.
void end_order() noexcept;

/// Reports that are no findings: only their text is shown.
std::uint64_t reports_passed_on() noexcept;

/// What the user has ThreadSanitizer end a process with that it found something in.
std::optional<std::uint32_t> exit_status_of_sanitizer();

} // namespace fletcher::annotate
