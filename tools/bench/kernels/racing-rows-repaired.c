// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// racing-rows without its race: what that costs.
#define REPAIRED
#include "racing-rows.c"
