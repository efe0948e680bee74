// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/library_state.hpp"

namespace fletcher::reports {

std::optional<LibraryState> library_state(std::string_view variable) {
  if (variable == "fletcher_state_of_strtok")
    return LibraryState{
        "the state that strtok keeps between its calls",
        "use strtok_r, which keeps no such state, or put all calls for one text into one critical construct"};
  if (variable == "fletcher_state_of_fftw_planner")
    return LibraryState{"the state of FFTW's planner",
                        "create and destroy plans in one thread, put these calls into the same critical construct, or "
                        "call fftw_make_planner_thread_safe first"};
  return std::nullopt;
}

} // namespace fletcher::reports
