// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/accessing_statement.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/directive_text.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>

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

bool leaves_out_a_barrier(const std::vector<Side>& sides, Codes& codes) {
  return std::any_of(sides.begin(), sides.end(), [&](const Side& side) {
    const Code& code = codes.of(side.place.file);
    const auto around = code.is_c() ? DirectiveText::around(code, side.place.line) : std::vector<DirectiveText>();
    return !code.is_c() || std::any_of(around.begin(), around.end(),
                                       [](const DirectiveText& one) { return one.clause("nowait") != nullptr; });
  });
}

} // namespace fletcher::reports
