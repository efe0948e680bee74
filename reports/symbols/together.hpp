// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The questions of several documents, asked in one go: to start a program that reads debug information costs more than
// most of its answers.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace fletcher::reports {

/// What `ask` answers to the questions of each part: a Result with one answer for each, or fewer where the program
/// ended early. Where one go fails or ends early each part is asked on its own, so that no document loses names by what
/// another one asks.
template <class Question, class Ask>
auto ask_together(const std::vector<std::vector<Question>>& parts, const Ask& ask) {
  std::vector<decltype(ask(parts.front()))> out;
  if (parts.size() > 1) {
    std::vector<Question> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    if (auto answers = ask(all); answers && answers->size() == all.size()) {
      auto next = std::make_move_iterator(answers->begin());
      for (const auto& part : parts) {
        const auto end = next + static_cast<std::ptrdiff_t>(part.size());
        out.emplace_back(std::remove_reference_t<decltype(*answers)>(next, end));
        next = end;
      }
      return out;
    }
  }
  for (const auto& part : parts) out.push_back(ask(part));
  return out;
}

} // namespace fletcher::reports
