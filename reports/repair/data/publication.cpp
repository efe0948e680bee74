// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that one thread hands to another by an atomic flag: the operation that raises the flag releases what was written
// before it, the one that sees it acquires that. Without a clause an atomic construct does neither.
#include "reports/document/words.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/data/handing_over.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace fletcher::reports {
namespace {

constexpr std::uint32_t lines_looked_at = 12;

/// An atomic construct and what it does to the flag.
struct FlagAccess {
  DirectiveText directive;
  std::string flag;
  std::string seen; ///< the variable that its value goes to; empty for none
};

std::string identifier(std::string_view text) { return std::string(first_word(trimmed(text))); }

std::optional<FlagAccess> flag_access(const Code& code, std::uint32_t line) {
  auto directive = DirectiveText::at(code, line);
  if (!directive || !directive->is("atomic")) return std::nullopt;
  const auto body = directive->body(code);
  if (!body) return std::nullopt;
  const std::string text = code.text(*body);
  const bool captures = directive->clause("capture") != nullptr;
  FlagAccess out{std::move(*directive), {}, {}};
  if (text.find('{') != std::string::npos || out.directive.clause("compare") != nullptr) {
    // { seen = flag; flag = new; }
    const auto begin = text.find_first_not_of("{ \t"), assigned = text.find('=');
    if (!captures || begin == std::string::npos || assigned == std::string::npos) return std::nullopt;
    out.seen = identifier(std::string_view(text).substr(begin));
    out.flag = identifier(std::string_view(text).substr(assigned + 1));
    return out;
  }
  const auto form = statement_form(text);
  if (!form) return std::nullopt;
  if (captures && form->kind == StatementForm::Kind::capture) {
    out.seen = identifier(text);
    if (out.seen == "int" || out.seen == "long" || out.seen == "unsigned" || out.seen == "bool")
      out.seen = identifier(std::string_view(text).substr(text.find(out.seen) + out.seen.size()));
    out.flag = base_of(form->target);
  } else if (out.directive.clause("read") != nullptr) {
    out.seen = base_of(form->target);
    out.flag = identifier(form->value);
  } else {
    out.flag = base_of(form->target);
  }
  return out;
}

bool has_order(const DirectiveText& directive) {
  constexpr std::array<std::string_view, 5> orders{"seq_cst", "acq_rel", "release", "acquire", "relaxed"};
  return std::ranges::any_of(orders, [&](std::string_view one) { return directive.clause(one) != nullptr; });
}

/// The first atomic construct behind the line, in its block, that nothing but statements precede.
std::optional<FlagAccess> raised_behind(const Code& code, std::uint32_t line) {
  const auto blocks = code.blocks_around(line);
  if (blocks.empty()) return std::nullopt;
  for (std::uint32_t l = line + 1; l < std::min(blocks.front().end.line, line + lines_looked_at); ++l)
    if (const auto directive = DirectiveText::at(code, l); directive && !directive->is("flush")) {
      auto access = flag_access(code, l);
      return access && access->directive.clause("read") == nullptr ? access : std::nullopt;
    }
  return std::nullopt;
}

/// The nearest atomic construct above the line whose value decides whether the line is reached.
std::optional<FlagAccess> seen_above(const Code& code, std::uint32_t line) {
  for (std::uint32_t l = line - 1; l > 0 && l + lines_looked_at > line; --l) {
    const auto directive = DirectiveText::at(code, l);
    if (!directive || directive->is("flush")) continue;
    auto access = flag_access(code, l);
    if (!access || access->seen.empty()) return std::nullopt;
    // In the head of the loop around it, or in a condition behind it.
    for (std::uint32_t near = l > 3 ? l - 3 : 1; near <= line; ++near) {
      const std::string_view text = code.line(near);
      if ((mentions(text, "while") || mentions(text, "if") || mentions(text, "for")) && mentions(text, access->seen))
        return access;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

/// The flag is raised right before the data is written, by an operation that has an order: it comes behind.
std::optional<Repair> raised_too_early(const Site& writer, const Site& reader, const Code& code) {
  const std::uint32_t line = writer.place.line;
  const auto statement = code.statement_at({code.file(), line, 0});
  const auto form = statement && is_alone(code, *statement) ? statement_form(code.text(*statement)) : std::nullopt;
  const auto raised = line > 2 ? flag_access(code, line - 2) : std::nullopt;
  const auto body = raised ? raised->directive.body(code) : std::nullopt;
  const auto seen = seen_above(code, reader.place.line);
  if (!form || form->kind != StatementForm::Kind::write || !body || body->end.line != line - 1 || !seen ||
      raised->flag != seen->flag || !has_order(raised->directive) || !has_order(seen->directive) ||
      raised->directive.clause("write") == nullptr || mentions(code.text(*statement), raised->flag) ||
      mentions(code.text(*body), base_of(form->target)))
    return std::nullopt;
  return Repair{"set the flag after this line: a thread that sees it then also sees what was written before",
                {inserted_before(code, line - 2, std::string(trimmed(code.original(line))), line),
                 {{code.file(), line, 1}, "", true}}};
}

/// The directive with an order that it lacks; nothing where it has it.
std::optional<Edit> with_order(const Code& code, const DirectiveText& directive, const std::string& order) {
  for (const std::string_view enough :
       {std::string_view(order), std::string_view("acq_rel"), std::string_view("seq_cst")})
    if (directive.clause(enough) != nullptr) return std::nullopt;
  const Clause* const relaxed = directive.clause("relaxed");
  return relaxed != nullptr ? directive.with_replaced(code, *relaxed, order) : directive.with(code, order);
}

} // namespace

std::optional<Repair> repair_handed_turn(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  const bool one_line =
      std::ranges::all_of(sites, [&](const Site& one) { return one.place.line == sites.front().place.line; });
  if (sites.empty() || !one_line || !codes.of(sites.front().place.file).is_c()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  const auto raised = raised_behind(code, sites.front().place.line);
  const auto seen = seen_above(code, sites.front().place.line);
  if (!raised || !seen || raised->flag.empty() || raised->flag != seen->flag ||
      !(has_order(raised->directive) || has_order(seen->directive)))
    return std::nullopt;
  const auto release = with_order(code, raised->directive, "release"),
             acquire = with_order(code, seen->directive, "acquire");
  Repair out{"use release order where the turn is passed on, and acquire order where it is read", {}};
  for (const auto& edit : {release, acquire})
    if (edit) out.edits.push_back(*edit);
  return out.edits.empty() ? std::nullopt : std::optional(out);
}

std::optional<Repair> repair_publication(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  if (!code.is_c()) return std::nullopt;
  std::map<std::uint32_t, std::string> orders; ///< by the line of an atomic construct
  for (std::size_t i = 0; i < sites.size(); i += 2) {
    const Site *writer = &sites[i], *reader = &sites[i + 1];
    if (!is_write(writer->type)) std::swap(writer, reader);
    if (!is_write(writer->type) || is_write(reader->type)) return std::nullopt;
    if (sites.size() == 2)
      if (auto found = raised_too_early(*writer, *reader, code)) return found;
    const auto raised = raised_behind(code, writer->place.line);
    const auto seen = seen_above(code, reader->place.line);
    if (!raised || !seen || raised->flag.empty() || raised->flag != seen->flag) return std::nullopt;
    if (has_order(raised->directive) || has_order(seen->directive)) return std::nullopt;
    const std::uint32_t first = raised->directive.first_line(), then = seen->directive.first_line();
    if (first == then) {
      orders[first] = "acq_rel";
    } else {
      if (orders.contains(first) && orders[first] != "release") return std::nullopt;
      if (orders.contains(then) && orders[then] != "acquire") return std::nullopt;
      orders[first] = "release";
      orders[then] = "acquire";
    }
  }
  Repair out{{}, {}};
  for (const auto& [line, order] : orders) {
    const auto directive = DirectiveText::at(code, line);
    const auto edit = directive ? directive->with(code, order) : std::nullopt;
    if (!edit) return std::nullopt;
    out.edits.push_back(*edit);
    out.sentence += (out.sentence.empty() ? "add '" : " and '") + order + "' at line " + std::to_string(line);
  }
  out.sentence += ": a thread that sees the value then also sees what was written before it";
  return out;
}

} // namespace fletcher::reports
