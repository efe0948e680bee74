// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/data/atomic_construct.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/data/reduction.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>

namespace fletcher::reports {
namespace {

/// `seen = flag;` beside threads of the region that set the flag. Who reads what they add up wants the sum.
bool reads_what_is_set(const Accesses& accesses, const Step& step) {
  if (step.form.kind != StatementForm::Kind::write || !step.form.operation.empty() || step.form.value != accesses.name)
    return false;
  return accesses.of_threads() && std::ranges::all_of(accesses.sites, [&](const Site& site) {
           const auto above = DirectiveText::at(accesses.code, site.place.line - 1);
           return !is_atomic(site) || (above && above->is("atomic") &&
                                       (above->clause("write") != nullptr || above->clause("read") != nullptr));
         });
}

/// `int at = next++;`, where an atomic construct can stand before no declaration: `int at;` and `at = next++;`.
struct DeclaredCapture {
  Step step;
  std::string declaration, assignment;
};

std::optional<DeclaredCapture> declared_capture(const Code& code, const SourcePlace& place) {
  static const std::regex words(R"(^((?:(?:unsigned|signed|long|short|std::)\s*)*\w+)\s+(\w+)\s*=\s*([^,]+);$)");
  const auto extent = code.statement_at(place);
  const std::string text = extent && code.is_c() && is_alone(code, *extent) ? code.text(*extent) : std::string();
  std::smatch match;
  if (!std::regex_match(text, match, words) || match[1] == "auto" || match[1] == "const") return std::nullopt;
  const std::string name = match[2], assignment = name + " = " + match[3].str() + ";";
  const auto form = statement_form(assignment);
  if (!form || form->kind != StatementForm::Kind::capture) return std::nullopt;
  return DeclaredCapture{{*extent, *form}, match[1].str() + " " + name + ";", assignment};
}

void add_capture(const Code& code, const DeclaredCapture& capture, std::vector<Edit>& edits) {
  const std::uint32_t line = capture.step.extent.begin.line;
  const std::string_view own = code.original(line);
  const std::string indent(own.substr(0, own.find_first_not_of(" \t")));
  edits.push_back({{code.file(), line, 1}, indent + capture.declaration, true});
  for (const std::string& text : {directive(code.file(), "atomic capture"), capture.assignment})
    edits.push_back({{code.file(), line + 1, 1}, indent + text, false});
}

} // namespace

bool are_constants(const Accesses& accesses) {
  return std::ranges::all_of(accesses.sites, [&](const Site& site) {
    const auto step = site.in_call ? std::nullopt : step_at(accesses.code, site.place);
    if (!step || step->form.kind != StatementForm::Kind::write || !step->form.operation.empty()) return false;
    const std::string_view value = step->form.value;
    const bool is_sign = value.starts_with('-');
    return value == "true" || value == "false" ||
           (value.size() > (is_sign ? 1U : 0U) &&
            std::isdigit(static_cast<unsigned char>(value[is_sign ? 1 : 0])) != 0 &&
            std::ranges::all_of(value.substr(1), [](char c) { return is_word(c) || c == '.'; }));
  });
}

std::optional<Repair> atomic_construct(const Accesses& accesses, bool of_constants) {
  std::set<std::uint32_t> told;
  std::map<std::string, std::vector<Extent>> steps; ///< by what they change
  Repair out{{}, {}};
  std::string word;
  const bool some_atomic = accesses.some_atomic();
  for (const Site& site : accesses.sites) {
    if (is_atomic(site)) continue;
    const auto capture = site.in_call ? std::nullopt : declared_capture(accesses.code, site.place);
    const auto step = site.in_call ? std::nullopt : capture ? capture->step : step_at(accesses.code, site.place);
    if (!step) return std::nullopt;
    const bool reads = some_atomic && !is_write(site.type) && reads_what_is_set(accesses, *step);
    const std::string target = base_of(step->form.target);
    if (!reads && (accesses.name.empty() ? !is_identifier(target) : target != accesses.name)) return std::nullopt;
    const bool writes =
        (some_atomic || of_constants) && step->form.kind == StatementForm::Kind::write && step->form.operation.empty();
    if (!reads && !writes && !may_be_atomic(step->form)) return std::nullopt;
    steps[accesses.name.empty() ? target : accesses.name].push_back(step->extent);
    if (!told.insert(site.place.line).second) continue;
    word = reads                                             ? "atomic read"
           : step->form.kind == StatementForm::Kind::capture ? "atomic capture"
           : writes                                          ? "atomic write"
                                                             : "atomic";
    if (capture) {
      add_capture(accesses.code, *capture, out.edits);
      continue;
    }
    const bool is_part = !is_identifier(step->form.target);
    if (!is_alone(accesses.code, step->extent) && !is_part &&
        !is_number(accesses.leader, accesses.codes, site.place.line))
      return std::nullopt; // of a type that may have no atomic operations
    if (!add_construct(accesses.code, word, step->extent, out.edits)) return std::nullopt;
  }
  if (out.edits.empty() || std::ranges::any_of(steps, [&](const auto& one) {
        return is_used_besides(accesses.sites, one.second, one.first, accesses.code) ||
               is_reduced_for_tasks(accesses, one.first);
      }))
    return std::nullopt;
  out.sentence = "add '" + directive(accesses.code.file(), word) + "' before " +
                 (told.size() > 1          ? "these lines"
                  : out.edits.size() == 1U ? "this line"
                                           : "the statement, on a line of its own");
  return out;
}

std::optional<Repair> atomic_capture(const Accesses& accesses) {
  if (!accesses.code.is_c() || !is_identifier(accesses.name)) return std::nullopt;
  std::uint32_t update = 0, reader = 0;
  for (const Site& site : accesses.sites) {
    const bool atomic = is_atomic(site);
    std::uint32_t& line = atomic ? update : reader;
    if ((!atomic && is_write(site.type)) || (line != 0 && line != site.place.line)) return std::nullopt;
    line = site.place.line;
  }
  const auto directive = update > 1 ? DirectiveText::at(accesses.code, update - 1) : std::nullopt;
  if (reader != update + 1 || !directive || !directive->is("atomic") || directive->first_line() != update - 1)
    return std::nullopt;
  const bool updates =
      directive->clauses().empty() || (directive->clauses().size() == 1 && directive->clause("update") != nullptr);
  const auto first = step_at(accesses.code, {accesses.code.file(), update, 0}),
             second = step_at(accesses.code, {accesses.code.file(), reader, 0});
  if (!updates || !first || !second || first->form.kind != StatementForm::Kind::update ||
      first->form.target != accesses.name || second->form.kind != StatementForm::Kind::write ||
      !second->form.operation.empty() || second->form.value != accesses.name || !is_identifier(second->form.target))
    return std::nullopt;
  const auto construct = directive->replaced_by(accesses.code, "atomic capture");
  if (!construct) return std::nullopt;
  const std::string_view own = accesses.code.original(update);
  const std::string indent(own.substr(0, own.find_first_not_of(" \t")));
  return Repair{"read the result in the same atomic operation: '" +
                    reports::directive(accesses.code.file(), "atomic capture") + "'",
                {*construct,
                 {{accesses.code.file(), update, 1},
                  indent + "{ " + accesses.code.text(first->extent) + " " + accesses.code.text(second->extent) + " }",
                  true},
                 {{accesses.code.file(), reader, 1}, "", true}}};
}

std::optional<Repair> atomic_for_critical(const Accesses& accesses) {
  const auto directive = accesses.construct();
  const auto body = directive && directive->is("critical") ? directive->body(accesses.code) : std::nullopt;
  const auto step = step_at(accesses.code, accesses.sites.front().place);
  if (!body || !step || !accesses.code.is_c() || !directive->clauses().empty() || !may_be_atomic(step->form) ||
      base_of(step->form.target) != accesses.name)
    return std::nullopt;
  // The update is all that the construct has, and no other construct of this name excludes it.
  if (step->extent.begin != body->begin || step->extent.end != body->end ||
      directive->first_line() != directive->last_line() || criticals(accesses.code, directive->argument()) != 1)
    return std::nullopt;
  const auto edit = directive->replaced_by(accesses.code, "atomic");
  if (!edit) return std::nullopt;
  return Repair{"make the update atomic: '" + reports::directive(accesses.code.file(), "atomic") + "'", {*edit}};
}

} // namespace fletcher::reports
