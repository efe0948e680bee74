// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/apply.hpp"

#include <algorithm>
#include <optional>

namespace fletcher::reports {
namespace {

constexpr std::size_t context = 3; // lines around a change

/// With their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

std::string_view end_of(std::string_view line) {
  if (line.ends_with("\r\n")) return "\r\n";
  return "\n";
}

/// What stands in the place of a line: what goes in front of it, and the line or what replaces it.
struct Changed {
  std::vector<std::string> before;
  std::optional<std::string> instead;
};

/// By the index of a line; one more for what comes behind the last.
std::vector<Changed> changes(const std::vector<std::string_view>& lines, const std::vector<Edit>& edits) {
  std::vector<Changed> out(lines.size() + 1);
  const std::string_view end = lines.empty() ? "\n" : end_of(lines.front());
  for (const Edit& edit : edits) {
    const std::size_t index = std::min<std::size_t>(edit.place.line == 0 ? 0 : edit.place.line - 1, lines.size());
    if (edit.removes())
      out[index].instead = "";
    else if (edit.replaces)
      out[index].instead = edit.text + (index < lines.size() && lines[index].ends_with('\n') ? std::string(end) : "");
    else
      out[index].before.push_back(edit.text + std::string(end));
  }
  return out;
}

std::string row(char kind, std::string_view line) {
  return kind + std::string(line) + (line.ends_with('\n') ? "" : "\n\\ No newline at end of file\n");
}

} // namespace

std::string with_edits(std::string_view text, const std::vector<Edit>& edits) {
  const auto lines = lines_of(text);
  const auto changed = changes(lines, edits);
  std::string out;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    if (!changed[i].before.empty() && !out.empty() && !out.ends_with('\n')) out += '\n';
    for (const std::string& line : changed[i].before) out += line;
    if (changed[i].instead)
      out += *changed[i].instead;
    else if (i < lines.size())
      out += lines[i];
  }
  return out;
}

std::string unified_diff(const std::string& name, std::string_view text, const std::vector<Edit>& edits) {
  const auto lines = lines_of(text);
  const auto changed = changes(lines, edits);
  const auto is_changed = [&](std::size_t i) { return !changed[i].before.empty() || changed[i].instead; };
  std::string out = "--- " + name + "\n+++ " + name + "\n";
  std::ptrdiff_t moved = 0;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    if (!is_changed(i)) continue;
    const std::size_t first = i - std::min(i, context);
    std::size_t last = i;                                                           // the last changed line of the hunk
    for (std::size_t j = i + 1; j < changed.size() && j <= last + 2 * context; ++j) // close ones share it
      if (is_changed(j)) last = j;
    const std::size_t end = std::min(last + context + (changed[last].instead ? 1 : 0), lines.size());
    std::string body;
    std::size_t old_lines = 0, new_lines = 0;
    for (std::size_t j = first; j < std::max(end, last + 1); ++j) {
      for (const std::string& line : changed[j].before) body += row('+', line), ++new_lines;
      if (j >= lines.size()) break;
      const bool stays = !changed[j].instead, goes = changed[j].instead == "";
      ++old_lines, new_lines += goes ? 0 : 1;
      body += row(stays ? ' ' : '-', lines[j]) + (stays || goes ? "" : row('+', *changed[j].instead));
    }
    const auto begin = static_cast<std::ptrdiff_t>(first) + 1;
    out += "@@ -" + std::to_string(begin) + "," + std::to_string(old_lines) + " +" + std::to_string(begin + moved) +
           "," + std::to_string(new_lines) + " @@\n" + body;
    moved += static_cast<std::ptrdiff_t>(new_lines) - static_cast<std::ptrdiff_t>(old_lines);
    i = last;
  }
  return out;
}

} // namespace fletcher::reports
