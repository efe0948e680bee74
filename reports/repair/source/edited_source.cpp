// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/edited_source.hpp"

#include "reports/repair/apply.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace fletcher::reports {
namespace {

std::string edited_text(const Code& code, const std::vector<Edit>& edits) {
  std::string text;
  for (std::uint32_t line = 1; line <= code.lines(); ++line) text += std::string(code.original(line)) + "\n";
  return with_edits(text, edits);
}

SourceText with_file(const std::string& file, const std::string& text) {
  SourceText out(".");
  out.put(file, text);
  return out;
}

std::string_view without_comment(std::string_view line) { return trimmed(line.substr(0, line.find("//"))); }

/// By line of the file: the line of the edited one; 0 for what is gone.
std::vector<std::uint32_t> moved_lines(const Code& code, const std::vector<Edit>& edits) {
  std::multimap<std::uint32_t, const Edit*> at;
  for (const Edit& edit : edits) at.emplace(edit.place.line, &edit);
  std::vector<std::uint32_t> out(code.lines() + 1);
  std::vector<std::pair<std::string_view, std::uint32_t>> put; ///< by an edit, with its line
  std::uint32_t line = 0;
  for (std::uint32_t old = 1; old <= code.lines(); ++old) {
    const auto [begin, end] = at.equal_range(old);
    const Edit* instead = nullptr;
    for (auto one = begin; one != end; ++one) {
      if (one->second->replaces)
        instead = one->second;
      else
        put.emplace_back(one->second->text, ++line);
    }
    if (instead != nullptr && instead->removes()) continue;
    out[old] = ++line;
    if (instead != nullptr) put.emplace_back(instead->text, line);
  }
  for (const auto& [old, edit] : at) {
    if (!edit->replaces || old > code.lines()) continue;
    const std::string_view own = without_comment(code.original(old));
    const auto distance = [&](std::uint32_t there) { return there > old ? there - old : old - there; };
    std::uint32_t nearest = 0; // where it was moved to
    for (const auto& [text, at_line] : put)
      if (without_comment(text) == own && (nearest == 0 || distance(at_line) < distance(nearest))) nearest = at_line;
    if (nearest != 0) out[old] = nearest;
  }
  return out;
}

} // namespace

EditedSource::EditedSource(const std::vector<Edit>& edits, Codes& codes)
    : all_(codes), before_(codes.of(edits.front().place.file)),
      text_(with_file(before_.file(), edited_text(before_, edits))), now_(moved_lines(before_, edits)), codes_(text_),
      after_(codes_.of(before_.file())) {}

std::optional<std::uint32_t> EditedSource::now(std::uint32_t line) const {
  return line < now_.size() && now_[line] != 0 ? std::optional(now_[line]) : std::nullopt;
}

} // namespace fletcher::reports
