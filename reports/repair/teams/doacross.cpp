// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop whose iterations wait for each other (`ordered(n)`): an iteration says that it is done behind its last write,
// and waits for all iterations whose results it reads.
#include "reports/document/words.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <regex>

namespace fletcher::reports {
namespace {

/// A loop with iterations that wait for each other.
struct Doacross {
  Extent iteration;
  std::vector<std::string> variables; ///< of its loops, from the outer one inward
  std::vector<DirectiveText> sources, sinks;
};

bool is_of_kind(const DirectiveText& directive, std::string_view kind) {
  return directive.is("ordered") && std::ranges::any_of(directive.clauses(), [&](const Clause& clause) {
           return (clause.name == "depend" || clause.name == "doacross") && trimmed(clause.arguments).starts_with(kind);
         });
}

std::optional<Doacross> doacross_of(const DirectiveText& directive, const Code& code) {
  static const std::regex head(R"(^for ?\( ?(?:[A-Za-z_]\w* )*([A-Za-z_]\w*) ?=.*$)");
  const Clause* const ordered = directive.clause("ordered");
  const std::string_view number = ordered == nullptr ? std::string_view() : trimmed(ordered->arguments);
  if (number.size() != 1 || number.front() < '1' || number.front() > '9') return std::nullopt;
  Doacross out;
  auto body = directive.body(code);
  for (int loops = number.front() - '0'; body && loops > 0; --loops) {
    std::smatch match;
    const std::string text = code.text(*body);
    if (!std::regex_match(text, match, head)) return std::nullopt;
    out.variables.push_back(match[1]);
    body = code.behind_head(*body);
  }
  if (!body) return std::nullopt;
  out.iteration = *body;
  for (std::uint32_t line = body->begin.line; line <= body->end.line; ++line) {
    const auto inner = DirectiveText::at(code, line);
    if (!inner) continue;
    if (is_of_kind(*inner, "source")) out.sources.push_back(*inner);
    if (is_of_kind(*inner, "sink")) out.sinks.push_back(*inner);
  }
  return out;
}

/// The texts between the brackets that follow a name; empty for none.
std::vector<std::string> subscripts(std::string_view behind) {
  std::vector<std::string> out;
  for (behind = trimmed(behind); behind.starts_with('['); behind = trimmed(behind)) {
    const auto close = behind.find(']');
    if (close == std::string_view::npos) return {};
    out.push_back(without_blanks(behind.substr(1, close - 1)));
    behind.remove_prefix(close + 1);
  }
  return out;
}

/// An iteration says that it is done before it has written.
std::optional<Repair> later_source(const Doacross& loop, const std::vector<Site>& sites, const Code& code) {
  if (loop.sources.size() != 1) return std::nullopt;
  const DirectiveText& source = loop.sources.front();
  const std::uint32_t line = source.first_line(), end = loop.iteration.end.line;
  const bool too_early = std::ranges::any_of(
      sites, [&](const Site& site) { return is_write(site.type) && site.place.line > source.last_line(); });
  const auto blocks = code.blocks_around(line);
  if (!too_early || line != source.last_line() || trimmed(code.line(end)) != "}" || blocks.empty() ||
      blocks.front().begin != loop.iteration.begin)
    return std::nullopt;
  for (std::uint32_t l = line + 1; l < end; ++l)
    if (!code.directive_line(l).empty() || mentions(code.line(l), "continue")) return std::nullopt;
  return Repair{"signal that the iteration is done after the access that others wait for",
                {{{code.file(), line, 1}, "", true},
                 inserted_before(code, end, std::string(trimmed(code.original(line))), line)}};
}

/// Of an element that a statement reads: the iteration that has set it, "i - 1, j". Empty: this one. Nothing: not
/// clear.
std::optional<std::string> setter_of(const std::vector<std::string>& read, const std::vector<std::string>& written,
                                     const std::vector<std::string>& variables) {
  static const std::regex earlier(R"(^(\w+)-(\d+)$)");
  std::string out;
  bool is_other = false;
  for (const std::string& variable : variables) {
    const auto at = std::ranges::find(written, variable);
    if (at == written.end() || read.size() != written.size()) return std::nullopt;
    const std::string& own = read[static_cast<std::size_t>(at - written.begin())];
    std::smatch match;
    const bool is_earlier = std::regex_match(own, match, earlier) && match[1] == variable;
    if (!is_earlier && own != variable) return std::nullopt;
    is_other = is_other || is_earlier;
    out += (out.empty() ? "" : ", ") + (is_earlier ? variable + " - " + match[2].str() : variable);
  }
  return is_other ? out : std::string();
}

/// An iteration reads what one has set for which it does not wait.
std::optional<Repair> further_sink(const Doacross& loop, const std::vector<Site>& sites, const Code& code) {
  const std::uint32_t line = sites.front().place.line;
  const auto statement = code.statement_at(sites.front().place);
  const auto form = statement ? statement_form(code.text(*statement)) : std::nullopt;
  if (!form || loop.sinks.size() != 1 || loop.sources.size() != 1 || loop.sinks.front().first_line() > line ||
      loop.sources.front().first_line() < line ||
      std::ranges::any_of(sites, [&](const Site& site) { return site.place.line != line; }))
    return std::nullopt;
  const std::string name(first_word(form->target));
  const std::vector<std::string> written = subscripts(std::string_view(form->target).substr(name.size()));
  const DirectiveText& sink = loop.sinks.front();
  std::vector<std::string> known;
  for (const Clause& clause : sink.clauses()) {
    const auto colon = clause.arguments.find(':');
    if (colon != std::string::npos) known.push_back(without_blanks(clause.arguments.substr(colon + 1)));
  }
  std::string clauses;
  for (const Position at : code.mentions(name, *statement)) {
    const auto read = subscripts(code.line(at.line).substr(at.column + name.size()));
    const auto setter = setter_of(read, written, loop.variables);
    if (!setter) return std::nullopt;
    if (setter->empty() || std::ranges::find(known, without_blanks(*setter)) != known.end()) continue;
    known.push_back(without_blanks(*setter));
    clauses += (clauses.empty() ? "" : " ") + sink.clauses().front().name + "(sink: " + *setter + ")";
  }
  const auto edit = clauses.empty() ? std::nullopt : sink.with(code, clauses);
  if (!edit) return std::nullopt;
  return Repair{"also wait for the iteration whose result is read: '" + clauses + "'", {*edit}};
}

} // namespace

std::optional<Repair> repair_doacross(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  if (!code.is_c()) return std::nullopt;
  std::optional<DirectiveText> loop;
  for (const Site& site : sites) {
    const auto around = DirectiveText::around(code, site.place.line);
    if (around.empty() || site.task != TaskKind::implicit || !around.front().is("for") ||
        (loop && loop->first_line() != around.front().first_line()))
      return std::nullopt;
    loop = around.front();
  }
  const auto doacross = doacross_of(*loop, code);
  if (!doacross) return std::nullopt;
  if (auto found = later_source(*doacross, sites, code)) return found;
  return further_sink(*doacross, sites, code);
}

} // namespace fletcher::reports
