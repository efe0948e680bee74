// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What findings say about operations of MPI: which function began one, and where it is completed.
#pragma once

#include "checker/finding.hpp"

namespace fletcher::interpose::mpi {

void tell_calls(Finding& finding);

} // namespace fletcher::interpose::mpi
