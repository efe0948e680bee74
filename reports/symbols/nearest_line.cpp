// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// llvm-symbolizer knows addresses, not the line table's rows (before LLVM 20): the bytes before are asked for one
// by one, in one go.
#include "reports/symbols/nearest_line.hpp"

#include "reports/symbols/function_names.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

constexpr Address reach = 128; ///< bytes; with the calls of the instrumentation some twenty instructions

bool lacks_line(const Query& query, const Answer& answer) {
  if (query.kind != Query::Kind::code || answer.code.empty() || is_runtime_module(query.file)) return false;
  const CodeAnswer& code = answer.code.front();
  return code.line == 0 && code.function_line == 0 && !code.function.empty();
}

/// The frame of `before` for the innermost one of `answer`; null where it is in another function. Code before may have
/// been inlined into it.
const CodeAnswer* same_frame(const Answer& answer, const Answer& before) {
  if (before.code.size() < answer.code.size()) return nullptr;
  const auto frame = before.code.end() - static_cast<std::ptrdiff_t>(answer.code.size());
  const bool same = std::equal(frame, before.code.end(), answer.code.begin(),
                               [](const CodeAnswer& a, const CodeAnswer& b) { return a.function == b.function; });
  return same ? &*frame : nullptr;
}

} // namespace

void find_nearest_lines(const std::string& symbolizer, const std::vector<Query>& queries,
                        std::vector<Answer>& answers) {
  std::vector<Query> before;
  std::vector<std::size_t> of;
  for (std::size_t i = 0; i < queries.size(); ++i)
    if (lacks_line(queries[i], answers[i]))
      for (Address back = 1; back <= std::min(reach, queries[i].offset); ++back) {
        before.push_back({Query::Kind::code, queries[i].file, queries[i].offset - back});
        of.push_back(i);
      }
  if (before.empty()) return;
  const auto told = ask(symbolizer, before);
  if (!told) return;
  for (std::size_t i = 0; i < before.size(); ++i) { // nearest ones first
    Answer& answer = answers[of[i]];
    const CodeAnswer* const frame = same_frame(answer, (*told)[i]);
    if (answer.code.front().line != 0 || frame == nullptr || frame->line == 0) continue;
    answer.code.front().file = frame->file;
    answer.code.front().line = frame->line;
    answer.code.front().column = 0;
    answer.code.front().line_is_near = true;
  }
}

} // namespace fletcher::reports
