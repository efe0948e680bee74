// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/accessing_statement.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <regex>

namespace fletcher::reports {

void name_by_assignment(Object& object, const std::vector<Side>& sides, Codes& codes) {
  std::string name;
  const Side* writer = nullptr;
  for (const Side& side : sides) {
    if (!is_write(side.access->type)) continue;
    if (is_in_call(side) || !side.place.known()) return;
    const Code& code = codes.of(side.place.file);
    const auto statement = code.statement_at(side.place);
    const auto form = statement ? statement_form(code.text(*statement)) : std::nullopt;
    if (!form || !is_identifier(form->target) || (!name.empty() && name != form->target)) return;
    name = form->target;
    writer = &side;
  }
  if (writer == nullptr) return;
  object.name = name;
  object.words = "'" + name + "'";
  Diagnostic named;
  named.variable = name;
  named.place = writer->place;
  object.whole = is_number(named, codes, writer->place.line);
}

namespace {

/// Fortran: what an index follows in `allocate(a(n), b%c(m))`, or in a declaration: "a" and "b%c".
std::vector<std::string> allocated_arrays(std::string_view text) {
  std::vector<std::string> out;
  const std::string line = without_blanks(text);
  if (!mentions(text, "allocate") && line.find("::") == std::string::npos) return out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t begin = i;
    while (i < line.size() && (is_word(line[i]) || line[i] == '%')) ++i;
    const std::string name = line.substr(begin, i - begin);
    if (i < line.size() && line[i] == '(' && is_identifier(name.substr(0, name.find('%')))) out.push_back(name);
  }
  return out;
}

/// Fortran: the array of which the statement sets an element: "b%c" of `b%c(i) = 0`.
std::string set_array(const Side& side, const Code& code) {
  const auto statement = code.statement_at(side.place);
  const auto form = statement ? statement_form(code.text(*statement)) : std::nullopt;
  const std::string target = form ? without_blanks(form->target) : std::string();
  return target.ends_with(')') ? target.substr(0, target.find('(')) : std::string();
}

/// What follows a declared name ends the declaration, without another name.
bool declares_one(std::string_view behind) {
  int depth = 0;
  for (const char c : behind) {
    depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
    if (depth < 0 || (depth == 0 && c == ',')) return false;
    if (depth == 0 && c == ';') return true;
  }
  return false;
}

/// C++: `std::vector<double> v(n)`, and `v.resize(n)` where v is declared so. The elements are numbers, which lead to
/// no other block.
std::vector<std::string> allocated_vectors(std::string_view line, const Code& code) {
  static const std::regex declared(
      R"(\bvector\s*<\s*(?:(?:unsigned|signed|std::)\s*)*)"
      R"((?:double|float|int|long|short|char|size_t|u?int\d+_t)(?:\s+(?:long|int))*\s*>&?\s+(\w+))");
  static const std::regex grows(R"(\b(\w+)\s*\.\s*(?:resize|assign|reserve|push_back|emplace_back|insert)\s*\()");
  using Match = std::match_results<std::string_view::const_iterator>;
  Match match;
  std::vector<std::string> out;
  if (std::regex_search(line.begin(), line.end(), match, declared) && declares_one({match[0].second, line.end()}))
    out.push_back(match[1]);
  if (!std::regex_search(line.begin(), line.end(), match, grows)) return out;
  const std::string name = match[1];
  for (std::uint32_t other = 1; other <= code.lines(); ++other) {
    const std::string_view text = code.line(other);
    if (mentions(text, name) && std::regex_search(text.begin(), text.end(), match, declared) && match[1] == name) {
      out.push_back(name);
      break;
    }
  }
  return out;
}

} // namespace

void name_by_allocation(Object& object, const std::vector<Side>& sides, Codes& codes) {
  if (!object.place.known() || sides.empty()) return;
  const Code& code = codes.of(object.place.file);
  const std::string_view allocation = code.line(object.place.line);
  const auto names_it = [&](const std::string& name) {
    return std::all_of(sides.begin(), sides.end(), [&](const Side& side) {
      if (side.place.file != code.file()) return false;
      const std::string_view line = code.line(side.place.line);
      return mentions(line, name) || (!is_identifier(name) && mentions(without_blanks(line), name));
    });
  };
  const auto sets_another = [&](const std::string& name) {
    return !code.is_c() && std::any_of(sides.begin(), sides.end(), [&](const Side& side) {
      const std::string set = is_write(side.access->type) && !is_in_call(side) ? set_array(side, code) : name;
      return !set.empty() && set != name;
    });
  };
  std::string found;
  for (const std::string& name : code.is_c() ? allocated_vectors(allocation, code) : allocated_arrays(allocation)) {
    if (!names_it(name) || sets_another(name)) continue;
    if (!found.empty() && found != name) return;
    found = name;
  }
  if (found.empty()) return;
  if (is_identifier(found)) object.name = found; // a component is no variable
  object.words = "'" + found + "'";
}

bool uses_other_iterations(const std::vector<Side>& sides, Codes& codes) {
  if (sides.size() != 2 || in_two_teams(sides)) return false;
  const SourcePlace& place = sides.front().place;
  for (const Side& side : sides) {
    const auto& tasks = side.access->tasks;
    if (is_in_call(side) || !side.place.known() || side.place.file != place.file || side.place.line != place.line ||
        tasks.empty() || tasks.front().kind != TaskKind::implicit)
      return false;
  }
  const Code& code = codes.of(place.file);
  const auto around = DirectiveText::around(code, place.line);
  if (around.empty() || !around.front().shares_a_loop()) return false;
  const auto statement = code.statement_at(place);
  const auto form = statement ? statement_form(code.text(*statement)) : std::nullopt;
  const bool of_element = form && (form->target.ends_with(']') || form->target.ends_with(')'));
  return of_element && form->kind == StatementForm::Kind::own;
}

bool update_one_member(const std::vector<Side>& sides, Codes& codes) {
  const SourcePlace& place = sides.front().place;
  for (const Side& side : sides)
    if (!is_write(side.access->type) || is_in_call(side) || !(side.place == place) || !place.known() ||
        !side.access->declared.empty())
      return false;
  const auto step = step_at(codes.of(place.file), place);
  return step && may_be_atomic(step->form) && step->form.target.find_first_of("[(*") == std::string::npos;
}

bool leaves_out_a_barrier(const std::vector<Side>& sides, Codes& codes) {
  return std::any_of(sides.begin(), sides.end(), [&](const Side& side) {
    const Code& code = codes.of(side.place.file);
    const auto around = code.is_c() ? DirectiveText::around(code, side.place.line) : std::vector<DirectiveText>();
    return !code.is_c() || std::any_of(around.begin(), around.end(),
                                       [](const DirectiveText& one) { return one.clause("nowait") != nullptr; });
  });
}

} // namespace fletcher::reports
