// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The samples' source as a trial of an edit can read it.
#pragma once

#include "test/reports/samples.hpp"

#include <map>
#include <string>

namespace fletcher::reports {

/// sample.c with a function around the lines of race(), and the constructs of its tasks.
inline void write_constructs(const Workspace& workspace) {
  const std::string task = "#pragma omp task";
  const std::map<int, std::string> others{{30, "void f(void) {"}, {40, task}, {50, task}, {60, "}"}};
  std::string source;
  for (int line = 1; line <= 60; ++line) {
    source += others.contains(line) ? others.at(line) : "  statement_" + std::to_string(line) + "(table);";
    source += "\n";
  }
  workspace.write("sample.c", source);
}

} // namespace fletcher::reports
