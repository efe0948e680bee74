// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source whose lines end with marks that say what happens there (@r a read, @w a write, @u both, @c where the task or
// the region of what follows begins), and what the repair makes of the races between all marked lines.
#pragma once

#include "reports/document/words.hpp"
#include "test/reports/marked_source.hpp"

namespace fletcher::reports {

/// A source without its marks, and the races between all marked lines.
struct Marked {
  std::string text;
  std::vector<Diagnostic> races;
};

struct About {
  Cause cause = Cause::missing_mutual_exclusion;
  std::string variable = "sum";
  TaskKind task = TaskKind::implicit;
  bool whole = true;
  bool itself = true;   ///< a marked line races with itself, too
  bool in_call = false; ///< a function that it calls makes the accesses
};

inline Marked marked(const std::string& file, const std::string& source, const About& about) {
  Marked out;
  std::vector<Site> sites;
  SourcePlace declared, construct;
  out.text = without_marks(source, [&](std::uint32_t number, std::string_view line, char kind) {
    if (!declared.known() && line.find(about.variable) != std::string_view::npos) declared = {file, number, 0};
    if (kind == 'c') construct = {file, number, 1};
    const auto site = [&](AccessType type) {
      sites.push_back({{file, number, 0}, type, construct, about.task, {}, about.in_call});
    };
    if (kind == 'r' || kind == 'u') site(AccessType::read);
    if (kind == 'w' || kind == 'u') site(AccessType::write);
  });
  for (std::size_t i = 0; i < sites.size(); ++i)
    for (std::size_t j = about.cause == Cause::non_sibling_dependence || !about.itself ? i + 1 : i; j < sites.size();
         ++j) {
      if (!is_write(sites[i].type) && !is_write(sites[j].type)) continue;
      Diagnostic& race = out.races.emplace_back();
      race.cause = about.cause;
      race.variable = about.variable;
      race.whole_variable = about.whole;
      race.declared = declared;
      race.place = sites[i].place;
      race.sites = {sites[i], sites[j]};
    }
  return out;
}

/// The lines of the source that the repair makes, without blanks around them; empty for none.
inline std::string repaired(const std::string& name, const std::string& source, const About& about = {}) {
  const Workspace workspace;
  const Marked all = marked(workspace.file(name), source, about);
  workspace.write(name, all.text);
  SourceText sources(workspace.folder().string());
  Codes codes(sources);
  Group group;
  for (const Diagnostic& race : all.races) group.push_back(&race);
  const auto found = repair(group, codes);
  std::string out;
  if (found)
    for (const Edit& edit : found->edits) out += (out.empty() ? "" : "\n") + std::string(trimmed(edit.text));
  return out;
}

} // namespace fletcher::reports
