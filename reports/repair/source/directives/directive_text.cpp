// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/directives/directive_text.hpp"

#include <algorithm>
#include <array>

namespace fletcher::reports {
namespace {

constexpr std::uint32_t lines_looked_at = 500;

template <std::size_t n> bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::ranges::find(words, word) != words.end();
}

bool is_construct_word(std::string_view word) {
  constexpr std::array<std::string_view, 30> words{
      "parallel",  "for",        "do",          "sections",  "section", "single", "task",   "taskloop", "simd",
      "teams",     "distribute", "target",      "critical",  "atomic",  "master", "masked", "barrier",  "taskwait",
      "taskgroup", "taskyield",  "loop",        "workshare", "ordered", "scope",  "end",    "flush",    "threadprivate",
      "declare",   "cancel",     "cancellation"};
  return is_one_of(word, words);
}

/// The characters of a directive behind its sentinel, with the place of each.
struct Characters {
  std::string text;
  std::vector<Position> places;
};

/// Where the directive's own text begins in one of its lines.
std::size_t behind_sentinel(const Code& code, std::string_view line, bool continued) {
  if (code.is_c()) {
    if (continued) return 0;
    return line.find("omp", line.find("pragma")) + 3;
  }
  std::size_t i = line.find("!$omp") + 5;
  if (i < line.size() && line[i] == '&') ++i;
  return i;
}

bool goes_on(const Code& code, std::string_view line, std::uint32_t next) {
  const std::string_view text = trimmed(line);
  if (code.form() == SourceForm::fixed_fortran) {
    const std::string_view below = code.directive_line(next);
    return below.size() > 5 && below.starts_with("!$omp") && below[5] != ' ' && below[5] != '0';
  }
  return text.ends_with(code.is_c() ? '\\' : '&');
}

Edit replaced_line(const Code& code, std::uint32_t line, std::string text) {
  return {{code.file(), line, 1}, std::move(text), true};
}

/// One line with a part of it replaced; nothing where the part is of several lines.
std::optional<Edit> replaced(const Code& code, Position begin, Position end, const std::string& by) {
  if (begin.line != end.line) return std::nullopt;
  std::string line(code.original(begin.line));
  line.replace(begin.column, end.column - begin.column, by);
  constexpr std::size_t widest_of_fixed_form = 72, widest_of_free_form = 132;
  if (code.form() == SourceForm::fixed_fortran && line.size() > widest_of_fixed_form) return std::nullopt;
  if (code.form() == SourceForm::fortran && line.size() > widest_of_free_form) return std::nullopt;
  return replaced_line(code, begin.line, std::move(line));
}

} // namespace

std::optional<DirectiveText> DirectiveText::at(const Code& code, std::uint32_t line) {
  const std::string_view first = code.directive_line(line);
  if (first.empty() || (code.is_c() && !trimmed(first).starts_with('#'))) return std::nullopt;
  DirectiveText out;
  out.first_ = out.last_ = line;
  Characters characters;
  for (std::uint32_t l = line; l <= code.lines(); ++l) {
    const std::string_view text = code.directive_line(l);
    if (text.empty()) break;
    const bool further = goes_on(code, text, l + 1);
    std::size_t end = text.find_last_not_of(" \t\r") + 1;
    if (further && code.form() != SourceForm::fixed_fortran) end = text.find_last_not_of(" \t\r", end - 2) + 1;
    for (std::size_t i = behind_sentinel(code, text, l != line); i < end; ++i) {
      characters.text += text[i];
      characters.places.push_back({l, i});
    }
    characters.text += ' ';
    characters.places.push_back({l, end});
    out.last_ = l;
    if (!further) break;
  }
  const std::string& text = characters.text;
  std::size_t i = 0;
  const auto skip = [&] {
    while (i < text.size() && (text[i] == ' ' || text[i] == '\t' || text[i] == ',')) ++i;
  };
  const auto closing = [&](std::size_t open) {
    int depth = 0;
    for (std::size_t p = open; p < text.size(); ++p) {
      depth += text[p] == '(' ? 1 : text[p] == ')' ? -1 : 0;
      if (depth == 0) return p;
    }
    return std::string::npos;
  };
  bool in_words = true;
  out.end_ = characters.places.back();
  for (skip(); i < text.size(); skip()) {
    const std::string word(first_word(std::string_view(text).substr(i)));
    if (word.empty()) return std::nullopt;
    const std::size_t begin = i;
    i += word.size();
    std::size_t open = i;
    while (open < text.size() && text[open] == ' ') ++open;
    const bool has_arguments = open < text.size() && text[open] == '(';
    std::string arguments;
    if (has_arguments) {
      const std::size_t close = closing(open);
      if (close == std::string::npos) return std::nullopt;
      arguments = text.substr(open + 1, close - open - 1);
      i = close + 1;
    }
    const bool is_clause = word == "ordered" && !out.words_.empty() && out.words_.back() != "end"; // "for ordered"
    in_words = in_words && is_construct_word(word) && !is_clause &&
               (!has_arguments || word == "critical" || word == "flush" || word == "threadprivate");
    if (in_words) {
      out.words_.push_back(word);
      out.word_begins_.push_back(characters.places[begin]);
      out.argument_ = std::string(trimmed(arguments));
      out.argument_begin_ = characters.places[has_arguments ? open : i];
      out.argument_end_ = characters.places[i];
      if (has_arguments) in_words = false;
    } else {
      const Position last = characters.places[i - 1];
      out.clauses_.push_back({word, arguments, characters.places[begin], {last.line, last.column + 1}});
    }
  }
  if (out.words_.empty()) return std::nullopt;
  return out;
}

bool DirectiveText::is(std::string_view word) const { return std::ranges::find(words_, word) != words_.end(); }

bool DirectiveText::stands_alone() const {
  constexpr std::array<std::string_view, 9> words{"barrier", "taskwait", "taskyield",     "flush",  "end",
                                                  "section", "cancel",   "threadprivate", "declare"};
  if (words_.front() == "target" &&
      (clause("update") != nullptr || clause("enter") != nullptr || clause("exit") != nullptr))
    return true; // of data
  return is_one_of(words_.front(), words) || is("cancellation") ||
         (words_.front() == "ordered" && (clause("depend") != nullptr || clause("doacross") != nullptr));
}

bool DirectiveText::shares_a_loop() const { return is("for") || is("do") || is("taskloop") || is("loop"); }

const Clause* DirectiveText::clause(std::string_view name) const {
  const auto found = std::ranges::find_if(clauses_, [&](const Clause& one) { return one.name == name; });
  return found == clauses_.end() ? nullptr : &*found;
}

bool DirectiveText::names_besides_shared(std::string_view variable) const {
  if (variable.empty()) return false;
  return std::ranges::any_of(
      clauses_, [&](const Clause& one) { return one.name != "shared" && reports::mentions(one.arguments, variable); });
}

std::size_t criticals(const Code& code, const std::string& name) {
  std::size_t n = 0;
  for (std::uint32_t l = 1; l <= code.lines(); ++l)
    if (const auto directive = DirectiveText::at(code, l);
        directive && directive->is("critical") && !directive->is("end") && directive->argument() == name)
      ++n;
  return n;
}

bool has_directive_with(const Code& code, const Extent& in, std::string_view word) {
  for (std::uint32_t line = in.begin.line; line <= in.end.line; ++line)
    if (mentions(code.directive_line(line), word)) return true;
  return false;
}

std::optional<Extent> DirectiveText::body(const Code& code) const {
  if (stands_alone()) return std::nullopt;
  const Position behind{last_ + 1, 0};
  if (code.is_c() || (shares_a_loop() || words_.front() == "simd" || words_.front() == "distribute" ||
                      (words_.front() == "atomic" && clause("capture") == nullptr)))
    return code.statement_from(behind);
  int depth = 1;
  for (std::uint32_t l = last_ + 1; l <= code.lines(); ++l) {
    const auto other = at(code, l);
    if (!other) continue;
    const bool ends = other->words_.front() == "end";
    const std::size_t skipped = ends ? 1 : 0;
    if (other->words_.size() != words_.size() + skipped ||
        !std::equal(words_.begin(), words_.end(), other->words_.begin() + static_cast<std::ptrdiff_t>(skipped)))
      continue;
    depth += ends ? -1 : 1;
    if (depth == 0) return Extent{behind, {l, 0}};
  }
  return std::nullopt;
}

std::vector<DirectiveText> DirectiveText::around(const Code& code, std::uint32_t line) {
  std::vector<DirectiveText> out;
  for (std::uint32_t l = line; l > 0 && l + lines_looked_at > line; --l) {
    if (code.directive_line(l).empty()) continue;
    const auto directive = at(code, l);
    if (!directive) continue;
    const auto body = directive->body(code);
    if (body && body->begin.line <= line && line <= body->end.line) out.push_back(*directive);
  }
  return out;
}

std::optional<Edit> DirectiveText::with(const Code& code, const std::string& clause) const {
  return replaced(code, end_, end_, " " + clause);
}

std::optional<Edit> DirectiveText::with_instead_of_shared(const Code& code, const std::string& clause,
                                                          std::string_view variable) const {
  for (const Clause& one : clauses_) {
    if (one.name != "shared" || !reports::mentions(one.arguments, variable)) continue;
    std::string others;
    std::string_view rest = one.arguments;
    while (!rest.empty()) {
      const auto comma = std::min(rest.find(','), rest.size());
      const std::string_view item = trimmed(rest.substr(0, comma));
      if (item != variable) others += (others.empty() ? "" : ", ") + std::string(item);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return replaced(code, one.begin, one.end, (others.empty() ? "" : "shared(" + others + ") ") + clause);
  }
  return with(code, clause);
}

std::optional<Edit> DirectiveText::without(const Code& code, std::string_view name) const {
  const Clause* const one = clause(name);
  if (one == nullptr) return std::nullopt;
  Position begin = one->begin;
  const std::string_view line = code.original(begin.line);
  while (begin.column > 0 && (line[begin.column - 1] == ' ' || line[begin.column - 1] == ',')) --begin.column;
  return replaced(code, begin, one->end, "");
}

std::optional<Edit> DirectiveText::with_replaced(const Code& code, const Clause& clause, const std::string& by) const {
  return replaced(code, clause.begin, clause.end, by);
}

std::optional<Edit> DirectiveText::replaced_by(const Code& code, const std::string& construct) const {
  return replaced(code, word_begins_.front(), end_, construct);
}

std::optional<Edit> DirectiveText::with_construct(const Code& code, const std::string& word) const {
  return replaced(code, word_begins_.front(), word_begins_.front(), word + " ");
}

std::optional<Edit> DirectiveText::without_construct(const Code& code, std::string_view word) const {
  const auto at = std::ranges::find(words_, word) - words_.begin();
  const auto index = static_cast<std::size_t>(at);
  if (index == words_.size()) return std::nullopt;
  if (words_.size() == 1) {
    if (!clauses_.empty() || first_ != last_ || !code.is_c()) return std::nullopt;
    return replaced_line(code, first_, "");
  }
  Position begin = word_begins_[index], end{begin.line, begin.column + word.size()};
  const std::string_view line = code.original(begin.line);
  while (begin.column > 0 && line[begin.column - 1] == ' ') --begin.column;
  return replaced(code, begin, end, "");
}

std::optional<Edit> DirectiveText::renamed(const Code& code, const std::string& name) const {
  return replaced(code, argument_begin_, argument_end_, name.empty() ? "" : "(" + name + ")");
}

} // namespace fletcher::reports
