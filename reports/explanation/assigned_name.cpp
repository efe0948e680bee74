// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/assigned_name.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/statement_form.hpp"

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

} // namespace fletcher::reports
