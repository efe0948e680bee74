// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/filters/ignore_list.hpp"

#include "reports/document/words.hpp"
#include "reports/source/directives.hpp"
#include "reports/symbols/elf_image.hpp"

#include <algorithm>
#include <optional>

namespace fletcher::reports {

namespace {

constexpr std::size_t most_alternatives = 1024;

/// The end of the set that begins at `at`: its first member may be a bracket. npos where it does not end.
std::size_t end_of_set(std::string_view glob, std::size_t at) {
  std::size_t from = at + 1;
  if (from < glob.size() && (glob[from] == '^' || glob[from] == '!')) ++from;
  return glob.find(']', from + 1);
}

/// `glob` without braces: a glob for each choice of what is between them. Nothing where it is not well-formed.
std::optional<std::vector<std::string>> alternatives(std::string_view glob) {
  std::vector<std::string> done{""}, before;
  std::optional<std::vector<std::string>> choices; // within braces
  const auto append = [&](std::string_view text) {
    if (choices) {
      choices->back() += text;
    } else {
      for (std::string& each : done) each += text;
    }
  };
  for (std::size_t i = 0; i < glob.size(); ++i) {
    const char c = glob[i];
    if (c == '\\') {
      if (++i == glob.size()) return std::nullopt;
      append(glob.substr(i - 1, 2));
    } else if (c == '[') {
      const std::size_t end = end_of_set(glob, i);
      if (end == std::string_view::npos) return std::nullopt;
      append(glob.substr(i, end - i + 1));
      i = end;
    } else if (c == '{') {
      if (choices) return std::nullopt;
      choices.emplace(1);
    } else if (choices && c == ',') {
      choices->emplace_back();
    } else if (choices && c == '}') {
      if (done.size() * choices->size() > most_alternatives) return std::nullopt;
      before = std::exchange(done, {});
      for (const std::string& first : before)
        for (const std::string& choice : *choices) done.push_back(first + choice);
      choices.reset();
    } else {
      append(glob.substr(i, 1));
    }
  }
  if (choices) return std::nullopt;
  return done;
}

bool any_matches(const std::vector<std::string>& globs, std::string_view text) {
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) { return glob_matches(glob, text); });
}

/// "a::f" of "a::f(int)".
std::string_view without_parameters(std::string_view name) { return name.substr(0, name.find('(')); }

} // namespace

Result<IgnoreList> IgnoreList::parse(std::string_view text, const std::string& name) {
  IgnoreList out;
  bool ours = true;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto bad = [&](const char* why) { return Error{name + ":" + std::to_string(number) + ": " + why}; };
    if (number == 1 && line.starts_with("#!special-case-list-v") && line != "#!special-case-list-v2")
      return bad("only version 2 of special case lists is read, whose patterns are globs");
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[') {
      const auto sections = line.back() == ']' ? alternatives(line.substr(1, line.size() - 2)) : std::nullopt;
      if (!sections) return bad("expected [section]");
      ours = any_matches(*sections, "thread");
      continue;
    }
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return bad("expected fun: or src: with a pattern, or [section]");
    const std::string_view kind = line.substr(0, colon), rest = line.substr(colon + 1);
    const auto globs = alternatives(rest.substr(0, rest.find('=')));
    if (!globs || rest.empty() || rest.front() == '=') return bad("the pattern is not well-formed");
    if (ours && (kind == "fun" || kind == "src") && rest.find('=') == std::string_view::npos)
      out.entries_.push_back({kind == "src", *globs});
  }
  return out;
}

bool IgnoreList::matches(const Frame& frame, const SourceText& sources) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    if (entry.source)
      return !frame.place.file.empty() &&
             (any_matches(entry.globs, frame.place.file) || any_matches(entry.globs, sources.shown(frame.place.file)));
    // clang compares names as the linker sees them; of these a whole one can be read.
    return any_matches(entry.globs, frame.function.name) || any_matches(entry.globs, frame.compiler_name) ||
           any_matches(entry.globs, without_parameters(frame.compiler_name)) ||
           std::any_of(entry.globs.begin(), entry.globs.end(),
                       [&](const std::string& glob) { return demangled(glob) == frame.compiler_name; });
  });
}

bool IgnoreList::matches(const Diagnostic& diagnostic, const SourceText& sources) const {
  if (diagnostic.rule != Rule::data_race) return false;
  const auto inside = [&](const std::vector<Frame>& stack) {
    return !stack.empty() && matches(stack.front(), sources);
  };
  return inside(diagnostic.stack) || std::any_of(diagnostic.notes.begin(), diagnostic.notes.end(), [&](const Note& n) {
           return n.kind == Note::Kind::other_access && inside(n.stack);
         });
}

} // namespace fletcher::reports
