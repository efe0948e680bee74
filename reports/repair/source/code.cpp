// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/code.hpp"

#include "reports/source/small_letters.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace fletcher::reports {
namespace {

constexpr int deepest = 64; // statements within statements

/// Blanks comments and the insides of strings of a line; `in_comment` goes on from line to line.
std::string cleaned(std::string_view line, bool is_c, bool& in_comment) {
  std::string code(line);
  char quote = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (in_comment) {
      const bool ends = code.compare(i, 2, "*/") == 0;
      code[i] = ' ';
      if (ends) code[++i] = ' ', in_comment = false;
    } else if (quote != 0) {
      if (code[i] == quote) {
        quote = 0;
      } else {
        const bool escaped = is_c && code[i] == '\\' && i + 1 < code.size();
        code[i] = ' ';
        if (escaped) code[++i] = ' ';
      }
    } else if (code[i] == '"' || (code[i] == '\'' && (i == 0 || !is_word(code[i - 1])))) {
      quote = code[i];
    } else if (is_c && code.compare(i, 2, "/*") == 0) {
      code[i] = code[i + 1] = ' ', ++i;
      in_comment = true;
    } else if (is_c ? code.compare(i, 2, "//") == 0 : code[i] == '!') {
      std::fill(code.begin() + static_cast<std::ptrdiff_t>(i), code.end(), ' ');
    }
  }
  return code;
}

} // namespace

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\t') out += c;
  return out;
}

bool mentions(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
    if ((at == 0 || !is_word(text[at - 1])) && (at + name.size() == text.size() || !is_word(text[at + name.size()])))
      return true;
  return false;
}

Code::Code(const std::string& file, SourceText& sources) : file_(file), form_(source_form(file)) {
  bool in_comment = false, goes_on = false, goes_on_as_directive = false;
  for (std::uint32_t number = 1;; ++number) {
    const auto line = sources.line(file, number);
    if (!line) break;
    original_.emplace_back(*line);
    std::string directive;
    std::string code;
    const std::string_view text = trimmed(*line);
    if (is_c()) {
      code = cleaned(*line, true, in_comment);
      const std::string_view clean = trimmed(code);
      const bool begins = !goes_on && clean.starts_with('#');
      const bool of_openmp = goes_on ? goes_on_as_directive : begins && pragma_of(clean).has_value();
      if (begins || goes_on) {
        goes_on = clean.ends_with('\\');
        goes_on_as_directive = of_openmp;
        if (of_openmp) directive = code;
        code.assign(code.size(), ' ');
      }
    } else if (in_small_letters(text).starts_with("!$omp")) {
      const std::size_t sentinel = line->find('!');
      bool ignored = false;
      directive = in_small_letters(*line);
      directive.replace(sentinel + 1, std::string::npos, cleaned(directive.substr(sentinel + 1), false, ignored));
      code.assign(line->size(), ' ');
    } else {
      const bool fixed_comment = form_ == SourceForm::fixed_fortran && !line->empty() &&
                                 std::string_view("cC*dD!").find(line->front()) != std::string_view::npos;
      code = fixed_comment ? std::string(line->size(), ' ') : in_small_letters(cleaned(*line, false, in_comment));
    }
    code_.push_back(std::move(code));
    directives_.push_back(std::move(directive));
  }
  if (is_c()) find_blocks();
}

std::string_view Code::original(std::uint32_t line) const noexcept {
  return line == 0 || line > original_.size() ? std::string_view() : std::string_view(original_[line - 1]);
}
std::string_view Code::line(std::uint32_t line) const noexcept {
  return line == 0 || line > code_.size() ? std::string_view() : std::string_view(code_[line - 1]);
}
std::string_view Code::directive_line(std::uint32_t line) const noexcept {
  return line == 0 || line > directives_.size() ? std::string_view() : std::string_view(directives_[line - 1]);
}

char Code::at(Position where) const noexcept {
  const std::string_view text = line(where.line);
  return where.column < text.size() ? text[where.column] : '\0';
}

std::string_view Code::word(Position where) const noexcept {
  const std::string_view text = line(where.line);
  return where.column < text.size() ? first_word(text.substr(where.column)) : std::string_view();
}

std::optional<Position> Code::next(Position from) const {
  for (; from.line <= lines(); ++from.line, from.column = 0) {
    const auto column = line(from.line).find_first_not_of(" \t\r", from.column);
    if (column != std::string_view::npos) return Position{from.line, column};
  }
  return std::nullopt;
}

std::optional<Position> Code::matching(Position open) const {
  int depth = 0;
  for (Position p = open; p.line <= lines(); ++p.line, p.column = 0)
    for (const std::string_view text = line(p.line); p.column < text.size(); ++p.column) {
      const char c = text[p.column];
      depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
      if (depth == 0) return p;
    }
  return std::nullopt;
}

/// One past the statement of C that begins at the first code from here on.
std::optional<Position> Code::after_statement(Position from, int depth) const {
  const auto begin = next(from);
  if (!begin || depth > deepest) return std::nullopt;
  const auto behind = [](Position p) { return Position{p.line, p.column + 1}; };
  if (at(*begin) == '{') {
    const auto end = matching(*begin);
    return end ? std::optional(behind(*end)) : std::nullopt;
  }
  const std::string_view keyword = word(*begin);
  const auto after_parentheses = [&](Position p) -> std::optional<Position> {
    const auto open = next(p);
    if (!open || at(*open) != '(') return std::nullopt;
    const auto close = matching(*open);
    return close ? std::optional(behind(*close)) : std::nullopt;
  };
  const Position after_keyword{begin->line, begin->column + keyword.size()};
  if (keyword == "for" || keyword == "while" || keyword == "switch" || keyword == "if") {
    const auto head = after_parentheses(after_keyword);
    const auto body = head ? after_statement(*head, depth + 1) : std::nullopt;
    if (!body || keyword != "if") return body;
    const auto other = next(*body);
    if (!other || word(*other) != "else") return body;
    return after_statement({other->line, other->column + 4}, depth + 1);
  }
  if (keyword == "do") {
    const auto body = after_statement(after_keyword, depth + 1);
    const auto condition = body ? next(*body) : std::nullopt;
    if (!condition || word(*condition) != "while") return std::nullopt;
    const auto close = after_parentheses({condition->line, condition->column + 5});
    const auto semicolon = close ? next(*close) : std::nullopt;
    return semicolon && at(*semicolon) == ';' ? std::optional(behind(*semicolon)) : std::nullopt;
  }
  for (auto p = begin; p; p = next(*p)) {
    const char c = at(*p);
    if (c == ';') return behind(*p);
    if (c == '}' || c == ')') return std::nullopt;
    if (c == '(' || c == '{' || c == '[') {
      p = matching(*p);
      if (!p) return std::nullopt;
    }
    p = behind(*p);
  }
  return std::nullopt;
}

std::optional<Position> Code::after_loop_of_fortran(std::uint32_t first) const {
  int depth = 0;
  for (std::uint32_t number = first; number <= lines(); ++number) {
    const std::string text = without_blanks(line(number));
    const std::string_view own = trimmed(line(number));
    if (first_word(own) == "do" && !own.starts_with("do,")) ++depth;
    if (text.starts_with("enddo") && --depth == 0) return Position{number, line(number).size()};
    if (text.starts_with("endsubroutine") || text.starts_with("endprogram") || text.starts_with("endfunction")) break;
  }
  return std::nullopt;
}

std::optional<Extent> Code::statement_from(Position from) const {
  const auto begin = next(from);
  if (!begin) return std::nullopt;
  if (is_c()) {
    const auto end = after_statement(*begin);
    return end ? std::optional(Extent{*begin, *end}) : std::nullopt;
  }
  if (word(*begin) == "do") {
    const auto end = after_loop_of_fortran(begin->line);
    return end ? std::optional(Extent{*begin, *end}) : std::nullopt;
  }
  return Extent{*begin, {begin->line, line(begin->line).size()}};
}

std::optional<Extent> Code::behind_head(const Extent& statement) const {
  int nested = 0;
  for (auto p = next(statement.begin); p && statement.contains(*p); p = next({p->line, p->column + 1})) {
    const char c = at(*p);
    nested += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ')' && nested == 0) return statement_from({p->line, p->column + 1});
  }
  return std::nullopt;
}

std::vector<Extent> Code::parts_of(const Extent& statement) const {
  if (at(statement.begin) != '{') return {statement};
  std::vector<Extent> out;
  const Position last{statement.end.line, statement.end.column - 1};
  for (auto p = next({statement.begin.line, statement.begin.column + 1}); p && *p < last; p = next(out.back().end)) {
    const auto part = statement_from(*p);
    if (!part || last < part->end) return {};
    out.push_back(*part);
  }
  return out;
}

std::optional<Extent> Code::statement_at(const SourcePlace& place) const {
  const std::string_view text = line(place.line);
  const auto first = next({place.line, 0});
  if (!first || first->line != place.line) return std::nullopt;
  std::size_t column = place.column != 0 ? place.column - 1 : text.find_last_not_of(" \t\r");
  if (!is_c()) {
    const auto last = text.find_last_not_of(" \t\r");
    if (text[last] == '&') return std::nullopt;
    Position begin = *first;
    if (word(begin) == "if") { // (condition) statement
      const auto open = next({begin.line, begin.column + 2});
      const auto close = open && at(*open) == '(' ? matching(*open) : std::nullopt;
      const auto behind = close && close->line == place.line ? next({close->line, close->column + 1}) : std::nullopt;
      if (behind && behind->line == place.line && word(*behind) != "then" && column > close->column) begin = *behind;
    }
    return Extent{begin, {place.line, last + 1}};
  }
  // From the beginning of the line on, or of a function that is all there, past what is before the statement.
  Position p = *first;
  if (const auto function = function_of_one_line(place.line)) {
    const std::size_t last = function->end.column - 1;
    if (place.column == 0) column = text.find_last_not_of(" \t", last - 1);
    if (column <= function->begin.column || column >= last) return std::nullopt;
    p = function->begin;
  }
  for (;;) {
    const std::string_view keyword = word(p);
    if (at(p) == '{' || at(p) == '}' || at(p) == ';') {
      ++p.column;
    } else if (keyword == "else" || keyword == "do") {
      p.column += keyword.size();
    } else if (keyword == "for" || keyword == "while" || keyword == "if" || keyword == "switch") {
      const auto open = next({p.line, p.column + keyword.size()});
      const auto close = open && at(*open) == '(' ? matching(*open) : std::nullopt;
      if (!close || close->line != p.line) return std::nullopt;
      if (column <= close->column) return std::nullopt;
      p = {p.line, close->column + 1};
    } else {
      const auto end = after_statement(p);
      if (!end || end->line != p.line) return std::nullopt;
      if (column < end->column) return Extent{p, *end};
      p = *end;
    }
    const auto further = next(p);
    if (!further || further->line != place.line) return std::nullopt;
    p = *further;
  }
}

void Code::find_blocks() {
  std::vector<std::size_t> open;
  for (std::uint32_t l = 1; l <= lines(); ++l) {
    innermost_.push_back(open.empty() ? no_block : open.back());
    const std::string_view text = line(l);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '{') {
        blocks_.push_back({{{l, i}, {}}, open.empty() ? no_block : open.back()});
        open.push_back(blocks_.size() - 1);
      }
      if (text[i] == '}' && !open.empty()) open.pop_back();
    }
  }
  for (Block& block : blocks_)
    if (const auto end = matching(block.extent.begin)) block.extent.end = {end->line, end->column + 1};
}

std::vector<Extent> Code::blocks_around(std::uint32_t number) const {
  std::vector<Extent> out;
  if (number == 0 || innermost_.empty()) return out;
  const std::size_t line = std::min<std::size_t>(number, innermost_.size());
  for (std::size_t one = innermost_[line - 1]; one != no_block; one = blocks_[one].outer)
    if (blocks_[one].extent.end.line != 0) out.push_back(blocks_[one].extent);
  return out;
}

std::optional<Extent> Code::unit_around(std::uint32_t number) const {
  constexpr std::array<std::string_view, 5> ends{"endprogram", "endsubroutine", "endfunction", "endmodule", "end"};
  const auto is_end = [&](std::uint32_t l) {
    return std::ranges::find(ends, without_blanks(line(l))) != ends.end() ||
           std::ranges::any_of(ends, [&](auto e) { return e != "end" && without_blanks(line(l)).starts_with(e); });
  };
  const auto is_contains = [&](std::uint32_t l) { return trimmed(line(l)) == "contains"; };
  Extent out = whole();
  for (std::uint32_t l = number; l > 1 && out.begin.line == 1; --l)
    if (is_end(l - 1) || is_contains(l - 1)) out.begin.line = l;
  for (std::uint32_t l = number; l <= lines(); ++l)
    if (is_end(l) || is_contains(l)) {
      out.end = {l, 0};
      return out;
    }
  return std::nullopt;
}

bool Code::is_function(const Extent& block) const {
  std::string before(line(block.begin.line).substr(0, block.begin.column));
  for (std::uint32_t l = block.begin.line; trimmed(before).empty() && l > 1;) before = line(--l);
  const std::string_view head = trimmed(before);
  constexpr std::array<std::string_view, 4> words{"const", "noexcept", "override", "final"};
  return head.ends_with(')') || std::ranges::any_of(words, [&](auto w) { return head.ends_with(w); });
}

std::optional<Extent> Code::function_of_one_line(std::uint32_t number) const {
  constexpr std::array<std::string_view, 6> others{"if", "else", "for", "while", "switch", "do"};
  const std::string_view first = first_word(trimmed(line(number)));
  if (!is_c() || std::ranges::find(others, first) != others.end()) return std::nullopt;
  for (const Extent& around : blocks_around(number))
    if (is_function(around)) return std::nullopt;
  // The first block of the line is the outermost one.
  const auto first_block =
      std::ranges::lower_bound(blocks_, number, {}, [](const Block& one) { return one.extent.begin.line; });
  if (first_block == blocks_.end()) return std::nullopt;
  const Extent& block = first_block->extent;
  const bool all_there = block.begin.line == number && block.end.line == number && is_function(block);
  return all_there ? std::optional(block) : std::nullopt;
}

std::optional<Extent> Code::function_around(std::uint32_t number) const {
  if (!is_c()) return unit_around(number);
  const std::vector<Extent> blocks = blocks_around(number);
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block)
    if (is_function(*block)) return *block;
  return function_of_one_line(number);
}

std::string Code::text(const Extent& extent) const {
  std::string out;
  for (std::uint32_t l = extent.begin.line; l <= std::min(extent.end.line, lines()); ++l) {
    const std::string_view whole = line(l);
    const std::size_t from = l == extent.begin.line ? std::min(extent.begin.column, whole.size()) : 0;
    const std::size_t to = l == extent.end.line ? std::min(extent.end.column, whole.size()) : whole.size();
    if (!out.empty()) out += ' ';
    out += trimmed(whole.substr(from, to - from));
  }
  return out;
}

std::vector<Position> Code::mentions(std::string_view name, const Extent& in) const {
  std::vector<Position> out;
  for (std::uint32_t l = std::max(in.begin.line, 1U); l <= std::min(in.end.line, lines()); ++l) {
    const std::string_view text = line(l);
    for (auto i = text.find(name); i != std::string_view::npos; i = text.find(name, i + 1)) {
      if ((i != 0 && is_word(text[i - 1])) || (i + name.size() < text.size() && is_word(text[i + name.size()])))
        continue;
      const std::string_view before = trimmed(text.substr(0, i));
      const bool is_member =
          is_c() ? before.ends_with('.') || before.ends_with("->") || before.ends_with("::") : before.ends_with('%');
      if (is_member) continue;
      if (in.contains(Position{l, i})) out.push_back({l, i});
    }
  }
  return out;
}

} // namespace fletcher::reports
