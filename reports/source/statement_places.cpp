// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/source/statement_places.hpp"

#include "reports/source/directives.hpp"
#include "reports/source/small_letters.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace fletcher::reports {
namespace {

constexpr std::uint32_t lines_looked_at = 50;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string_view last_word(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return text.substr(begin);
}

template <std::size_t n> bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::ranges::find(words, word) != words.end();
}

/// A line with blanks for what is in comments, and for the insides of strings: columns stay.
std::string code_of(std::string_view line, SourceForm form) {
  std::string code(line);
  const bool is_c = form == SourceForm::c;
  char quote = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (quote != 0) {
      if (code[i] == quote)
        quote = 0;
      else if (is_c && code[i] == '\\' && i + 1 < code.size())
        code[i] = ' ', code[++i] = ' ';
      else
        code[i] = ' ';
    } else if (code[i] == '"' || code[i] == '\'') {
      quote = code[i];
    } else if (is_c ? code.compare(i, 2, "//") == 0 : code[i] == '!' && code.compare(i, 5, "!$omp") != 0) {
      std::fill(code.begin() + static_cast<std::ptrdiff_t>(i), code.end(), ' ');
    } else if (is_c && code.compare(i, 2, "/*") == 0) {
      const std::size_t end = std::min(code.find("*/", i + 2), code.size() - 2) + 2;
      std::fill(code.begin() + static_cast<std::ptrdiff_t>(i), code.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    }
  }
  // The end of a comment that began above.
  if (const auto end = is_c ? code.find("*/") : std::string::npos; end != std::string::npos)
    std::fill(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(end) + 2, ' ');
  return code;
}

/// The lines above one, from the nearest one outward, without those that have no code.
class LinesAbove {
public:
  LinesAbove(const SourcePlace& place, SourceForm form, SourceText& sources)
      : file_(place.file), form_(form), sources_(sources), next_(place.line - 1),
        last_(place.line > lines_looked_at ? place.line - lines_looked_at : 1) {}

  /// Empty after the last one.
  std::string next() {
    for (; next_ >= last_ && next_ > 0; --next_) {
      const auto line = sources_.line(file_, next_);
      if (!line) return {};
      const std::string code = code_of(*line, form_);
      const bool had_comment = in_comment_;
      if (form_ == SourceForm::c) follow_comment(*line);
      if (had_comment || in_comment_ || trimmed(code).empty()) continue;
      --next_;
      return std::string(trimmed(code));
    }
    return {};
  }

private:
  void follow_comment(std::string_view line) {
    const auto begin = line.rfind("/*"), end = line.rfind("*/");
    if (in_comment_)
      in_comment_ = begin == std::string_view::npos;
    else if (end != std::string_view::npos)
      in_comment_ = line.find("/*") == std::string_view::npos;
  }

  const std::string& file_;
  SourceForm form_;
  SourceText& sources_;
  std::uint32_t next_, last_;
  bool in_comment_ = false; ///< of several lines
};

// ---- C and C++ ------------------------------------------------------------------------------------------------------

/// The line belongs to a list in parentheses that begins above it.
bool is_in_parentheses(const SourcePlace& place, SourceText& sources) {
  LinesAbove above(place, SourceForm::c, sources);
  int closed = 0;
  for (std::string line = above.next(); !line.empty(); line = above.next())
    for (auto c = line.rbegin(); c != line.rend(); ++c) {
      closed += *c == ')' ? 1 : *c == '(' ? -1 : 0;
      if (closed < 0) return true;
    }
  return false;
}

/// The access is in what a loop asks each time round, behind the first `(` of the line.
bool is_in_loop_head(std::string_view code, std::uint32_t column) {
  constexpr std::array<std::string_view, 2> loops{"for", "while"};
  if (!is_one_of(first_word(trimmed(code)), loops)) return false;
  int open = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    open += code[i] == '(' ? 1 : code[i] == ')' ? -1 : 0;
    if (code[i] == ')' && open == 0) return column <= i + 1;
  }
  return true;
}

/// What stands before a `{` makes it the beginning of a block, not of a list of values.
bool begins_block(std::string_view before, LinesAbove& above) {
  before = trimmed(before);
  if (before.empty()) {
    const std::string owner = above.next();
    return !owner.ends_with('=') && !owner.ends_with(',') && !owner.ends_with('(') && last_word(owner) != "return";
  }
  constexpr std::array<std::string_view, 8> words{"else",     "do",    "try",     "const",
                                                  "noexcept", "final", "mutable", "override"};
  return before.ends_with(')') || before.ends_with(']') || is_one_of(last_word(before), words);
}

bool is_standalone(std::string_view directive) {
  constexpr std::array<std::string_view, 4> words{"barrier", "taskwait", "taskyield", "flush"};
  constexpr std::array<std::string_view, 3> of_data{"update", "enter", "exit"};
  const std::string_view text = trimmed(directive), first = first_word(text);
  return is_one_of(first, words) ||
         (first == "target" && is_one_of(first_word(trimmed(text.substr(first.size()))), of_data));
}

bool begins_statement_of_c(const SourcePlace& place, std::string_view own, SourceText& sources) {
  const std::string code = code_of(own, SourceForm::c);
  const std::string_view text = trimmed(code), word = first_word(text), behind = trimmed(text.substr(word.size()));
  constexpr std::array<std::string_view, 4> no_statement{"else", "case", "default", "catch"};
  const bool is_label = !word.empty() && behind.starts_with(':') && !behind.starts_with("::");
  if (text.empty() || text.starts_with('}') || is_label || is_one_of(word, no_statement) ||
      is_in_loop_head(code, place.column) || (text.starts_with('#') && !pragma_of(text)) ||
      is_in_parentheses(place, sources))
    return false;
  LinesAbove above(place, SourceForm::c, sources);
  for (std::string line = above.next(); !line.empty(); line = above.next()) {
    if (const auto pragma = pragma_of(line)) return is_standalone(*pragma);
    if (line.starts_with('#') || line.ends_with('\\')) continue;
    if (line.ends_with('{')) return begins_block(std::string_view(line).substr(0, line.size() - 1), above);
    return line.ends_with(';') || line.ends_with('}');
  }
  return false;
}

// ---- Fortran --------------------------------------------------------------------------------------------------------

bool begins_statement_of_fortran(const SourcePlace& place, std::string_view own, SourceForm form, SourceText& sources) {
  std::string_view text = own;
  if (form == SourceForm::fixed_fortran) {
    const std::size_t mark = own.starts_with('\t') ? 1 : 5; // what stands there continues a line
    const bool continues =
        own.size() > mark && own[mark] != ' ' && own[mark] != '0' && (mark != 1 || is_digit(own[mark]));
    if (continues) return false;
  } else {
    LinesAbove above(place, form, sources);
    const std::string line = above.next();
    if (line.empty() || line.ends_with('&')) return false;
  }
  const std::string small = in_small_letters(trimmed(text));
  constexpr std::array<std::string_view, 5> no_statement{"else", "elseif", "elsewhere", "case", "contains"};
  const std::string_view word = first_word(small), behind = trimmed(std::string_view(small).substr(word.size()));
  return !small.empty() && !is_one_of(word, no_statement) && !word.starts_with("end") &&
         !(word == "do" && behind.starts_with("while"));
}

} // namespace

bool begins_statement(const SourcePlace& place, SourceText& sources) {
  const auto own = sources.line(place.file, place.line);
  if (!own) return false;
  const SourceForm form = source_form(place.file);
  return form == SourceForm::c ? begins_statement_of_c(place, *own, sources)
                               : begins_statement_of_fortran(place, *own, form, sources);
}

bool is_directly_in_region(const SourcePlace& place, SourceText& sources) {
  if (source_form(place.file) != SourceForm::c) return false;
  LinesAbove above(place, SourceForm::c, sources);
  int closed = 0;
  for (std::string line = above.next(); !line.empty(); line = above.next())
    for (std::size_t i = line.size(); i-- > 0;) {
      closed += line[i] == '}' ? 1 : line[i] == '{' ? -1 : 0;
      if (closed >= 0) continue;
      if (i != 0) return false; // the block of whatever stands before it
      std::string owner = above.next();
      for (std::string begin = above.next(); begin.ends_with('\\'); begin = above.next())
        owner = begin.substr(0, begin.size() - 1) + owner;
      const auto pragma = pragma_of(owner);
      if (!pragma || first_word(*pragma) != "parallel") return false;
      constexpr std::array<std::string_view, 6> combined{"for", "sections", "loop", "masked", "master", "workshare"};
      return !is_one_of(first_word(trimmed(pragma->substr(std::string_view("parallel").size()))), combined);
    }
  return false;
}

} // namespace fletcher::reports
