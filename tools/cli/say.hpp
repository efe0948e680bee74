// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a command says on the console besides reports.
#pragma once

#include <iostream>
#include <string>

namespace fletcher::cli {

inline void say(const std::string& line) { std::cerr << "fletcher: " << line << '\n'; }

} // namespace fletcher::cli
