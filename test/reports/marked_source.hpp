// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source whose lines may end with a mark, "@1", by which a test names them, and the edits of a diagnostic about it.
#pragma once

#include "reports/repair/repair.hpp"
#include "test/reports/samples.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

/// The places of the marked lines, by their digit.
class Marks {
public:
  SourcePlace operator[](char mark) const { return places_.at(mark); }
  void add(char mark, SourcePlace place) { places_[mark] = std::move(place); }

private:
  std::map<char, SourcePlace> places_;
};

/// The source as it is written to a file. `seen` gets each line, with its number and its mark, or 0 for none.
inline std::string
without_marks(const std::string& source,
              const std::function<void(std::uint32_t number, std::string_view line, char mark)>& seen) {
  std::string text;
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = std::min(source.find('\n', at), source.size());
    std::string line = source.substr(at, end - at);
    at = end + 1;
    char mark = 0;
    if (const auto found = line.find(" @"); found != std::string::npos) {
      mark = line[found + 2];
      line.resize(found);
    }
    seen(++number, line, mark);
    text += line + "\n";
  }
  return text;
}

/// What the repair does with the source: "+7 text" a line in front of line 7, "=7 text" one in its place, "-7" none.
inline std::string edits_of_group(const std::string& name, const std::string& source,
                                  const std::function<std::vector<Diagnostic>(const Marks&)>& diagnostics) {
  const Workspace workspace;
  Marks marks;
  const std::string text = without_marks(source, [&](std::uint32_t number, std::string_view, char mark) {
    if (mark != 0) marks.add(mark, {workspace.file(name), number, 1});
  });
  workspace.write(name, text);
  SourceText sources(workspace.folder().string());
  Codes codes(sources);
  const std::vector<Diagnostic> all = diagnostics(marks);
  Group group;
  for (const Diagnostic& one : all) group.push_back(&one);
  const auto found = repair(group, codes);
  std::string out;
  if (found)
    for (const Edit& edit : found->edits)
      out += (out.empty() ? "" : "\n") +
             std::string(edit.removes()  ? "-"
                         : edit.replaces ? "="
                                         : "+") +
             std::to_string(edit.place.line) + (edit.removes() ? "" : " ") + std::string(trimmed(edit.text));
  return out;
}

/// The same for one diagnostic.
inline std::string edits_of(const std::string& name, const std::string& source,
                            const std::function<Diagnostic(const Marks&)>& diagnostic) {
  return edits_of_group(name, source, [&](const Marks& marks) { return std::vector<Diagnostic>{diagnostic(marks)}; });
}

inline Diagnostic race(Cause cause, const std::string& variable, const Site& first, const Site& second) {
  Diagnostic out;
  out.cause = cause;
  out.variable = variable;
  out.whole_variable = true;
  out.place = first.place;
  out.sites = {first, second};
  return out;
}

inline Site in_thread(const SourcePlace& place, AccessType type = AccessType::write,
                      std::vector<Site::Lock> locks = {}) {
  return {place, type, {}, TaskKind::implicit, std::move(locks)};
}

inline Diagnostic of_rule(Rule rule, const SourcePlace& place, std::vector<SourcePlace> steps = {},
                          const std::string& message = {}) {
  Diagnostic out;
  out.rule = rule;
  out.place = place;
  out.message = message;
  for (SourcePlace& step : steps) out.notes.push_back({Note::Kind::step, "", {}, std::move(step)});
  return out;
}

inline Frame frame(const std::string& function, const SourcePlace& place) {
  Frame out;
  out.function.name = function;
  out.place = place;
  return out;
}

} // namespace fletcher::reports
