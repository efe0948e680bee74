// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that is mapped too short, in the wrong direction, or not at all: another map type, a whole section, an update
// between. What else of the data would be copied then must not have changed on the side that it is copied to.
#include "checker/rules/mapping_words.hpp"
#include "reports/document/words.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/mapped_data.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <regex>

namespace fletcher::reports {
namespace {

namespace words = rules::mapping_words;

class MappingRepair : MappedData {
public:
  MappingRepair(const Diagnostic& leader, Codes& codes) : MappedData(leader, codes) {}

  std::optional<Repair> find() {
    const auto function = code_.is_c() ? code_.function_around(line_) : std::nullopt;
    if (!function) return std::nullopt;
    function_ = *function;
    if (says(words::not_mapped)) return add_map();
    if (says(words::freed)) return freed_later();
    if (const auto other = says(words::stale_on_host) ? mapping_elsewhere() : std::nullopt) return copied_back(*other);
    name_ = name();
    if (name_.empty()) return std::nullopt;
    all_ = mappings_of(name_, function_, code_);
    if (says(words::stale_on_host)) return was_unmapped() ? copied_back() : update_from();
    if (says(words::stale_on_device)) return update_to();
    if (says(words::replaced)) return not_copied_back();
    if (says(words::undefined_on_host) || says(words::undefined)) return copied_there();
    if (says(words::of_mapped)) return whole();
    return std::nullopt;
  }

private:
  bool was_unmapped() const { return note(words::unmapped_here) != nullptr; }

  // ---- map types ----------------------------------------------------------------------------------------------------

  std::optional<Repair> with_type(const Mapping& one, const std::string& type, const std::string& why) const {
    const auto edit = one.with_type(code_, type);
    if (!edit) return std::nullopt;
    return Repair{"map '" + one.item + "' as '" + type + "' here: " + why, {*edit}};
  }

  /// Of those of which one is around all others the outermost one.
  const Mapping* outermost(const std::vector<const Mapping*>& candidates) const {
    if (candidates.empty()) return nullptr;
    const Mapping* const first = candidates.front();
    const bool around_all = std::all_of(candidates.begin() + 1, candidates.end(), [&](const Mapping* one) {
      return is_around(*first, one->directive.first_line());
    });
    return around_all ? first : nullptr;
  }

  std::optional<Repair> copied_back() const {
    std::vector<const Mapping*> candidates;
    for (const Mapping& one : all_) {
      const bool drops = one.is("exit") ? one.map.type == "release" || one.map.type == "delete"
                                        : one.map.type == "to" || one.map.type == "alloc";
      if (drops && !one.is("enter") && one.directive.first_line() < line_ && !is_around(one, line_))
        candidates.push_back(&one);
    }
    const Mapping* const one = outermost(candidates);
    return one == nullptr ? std::nullopt : copied_back(*one);
  }

  std::optional<Repair> copied_back(const Mapping& one) const {
    return with_type(one, one.map.type == "to" ? "tofrom" : "from",
                     "the values that the device set are then copied back");
  }

  std::optional<Repair> copied_there() const {
    std::vector<const Mapping*> candidates;
    for (const Mapping& one : all_) {
      const bool drops = one.map.type == "from" || one.map.type == "alloc";
      const bool fits = says(words::undefined_on_host) ? one.directive.first_line() < line_ && !is_around(one, line_)
                                                       : is_around(one, line_);
      if (drops && fits && !one.is("exit")) candidates.push_back(&one);
    }
    const Mapping* const one = outermost(candidates);
    // Else the device would get what nobody has set.
    if (one == nullptr || !host_sets({function_.begin, {one->directive.first_line(), 0}})) return std::nullopt;
    return with_type(*one, one->map.type == "from" ? "tofrom" : "to",
                     "the values that the host set are then copied there");
  }

  std::optional<Repair> not_copied_back() const {
    std::vector<const Mapping*> candidates;
    for (const Mapping& one : all_)
      if (one.map.type == "tofrom" && one.directive.first_line() < line_ && !is_around(one, line_))
        candidates.push_back(&one);
    const Mapping* const one = outermost(candidates);
    if (one == nullptr || device_sets()) return std::nullopt;
    return with_type(*one, "to", "the device only reads it, and the host's values stay");
  }

  // ---- updates ------------------------------------------------------------------------------------------------------

  /// The item by which the data region around a line, or an earlier enter data, names the variable.
  const Mapping* present_at(std::uint32_t line) const {
    const Mapping* out = nullptr;
    for (const Mapping& one : all_) {
      if (one.directive.first_line() >= line) break;
      if (one.is("exit")) out = nullptr;
      if (one.is("enter") || (one.is("data") && is_around(one, line))) out = &one;
    }
    return out;
  }

  bool can_stand_before(std::uint32_t line) const {
    const auto above = DirectiveText::at(code_, line - 1);
    const std::string_view text = trimmed(code_.line(line - 1));
    return begins_a_statement(code_, line) && (!above || above->stands_alone()) && !text.ends_with(')') &&
           !text.ends_with("else");
  }

  /// Where the last construct before begins that sets such a variable.
  std::optional<std::uint32_t> set_for_device_at() const {
    std::optional<std::uint32_t> out;
    if (is_declared_for_device())
      for (const Extent& body : target_bodies())
        if (body.end.line < line_ && is_set(body)) out = body.begin.line;
    return out;
  }

  std::optional<Repair> update_to() const {
    const auto target = target_around();
    const Note* const changed = note(words::changed_by_host);
    if (!target || changed == nullptr || changed->place.file != code_.file()) return std::nullopt;
    const std::uint32_t before = target->first_line();
    const Mapping* const present = present_at(before);
    const std::string item = present != nullptr ? present->item : is_declared_for_device() ? name_ : std::string();
    const std::uint32_t since = present != nullptr ? present->directive.first_line() : function_.begin.line;
    if (item.empty() || !can_stand_before(before) || changed->place.line >= before || changed->place.line <= since ||
        device_sets())
      return std::nullopt;
    const std::string text = directive(code_.file(), "target update to(" + item + ")");
    return Repair{"add '" + text + "' before this line: the host has changed '" + name_ + "' since it was copied",
                  {inserted_before(code_, before, text, before)}};
  }

  std::optional<Repair> update_from() const {
    const Mapping* const present = present_at(line_);
    const auto since = present != nullptr ? std::optional(present->directive.first_line()) : set_for_device_at();
    if (!since || target_around()) return std::nullopt;
    const std::uint32_t mapped = *since;
    for (std::uint32_t line = mapped + 1; line < line_; ++line) // it is being copied, and has to be waited for
      if (const auto one = DirectiveText::at(code_, line);
          one && one->clause("update") != nullptr && one->clause("nowait") != nullptr) {
        if (!can_stand_before(line_) || trimmed(code_.line(line_)).empty()) return std::nullopt;
        const std::string wait = directive(code_.file(), "taskwait");
        return Repair{"add '" + wait + "' before this line: the copy is made by a task",
                      {inserted_before(code_, line_, wait, line_)}};
      }
    // Out of the loops that have nothing to do with the device.
    std::uint32_t before = line_;
    for (const Extent& block : code_.blocks_around(line_)) {
      const std::string_view head = first_word(trimmed(code_.line(block.begin.line)));
      const bool has_device =
          std::ranges::any_of(target_bodies(), [&](const Extent& b) { return block.contains(b.begin); });
      if ((head != "for" && head != "while") || has_device || block.begin.line <= mapped) break;
      before = block.begin.line;
    }
    const std::string_view above = trimmed(code_.line(before - 1));
    if ((first_word(above) == "for" || first_word(above) == "while") && above.ends_with(')')) --before;
    if (!can_stand_before(before) || host_sets({{mapped + 1, 0}, {line_ + 1, 0}})) return std::nullopt;
    const std::string text =
        directive(code_.file(), "target update from(" + (present != nullptr ? present->item : name_) + ")");
    return Repair{"add '" + text + "' before this line: the device has changed '" + name_ + "' since",
                  {inserted_before(code_, before, text, before)}};
  }

  /// By its allocation, or by the loops that use it.
  std::string elements(const std::string& name) const {
    if (std::string out = elements_of(name, function_, code_); !out.empty()) return out;
    const auto target = target_around();
    const auto body = target ? target->body(code_) : std::nullopt;
    return body ? elements_used(name, *body, code_) : std::string();
  }

  /// `free(a);` comes behind the last line that names it.
  std::optional<Repair> freed_later() const {
    static const std::regex call(R"(^\s*free\s*\(\s*(\w+)\s*\)\s*;\s*$)");
    const auto blocks = code_.blocks_around(line_);
    for (std::uint32_t line = line_ - 1; line > function_.begin.line; --line) {
      const std::string text(code_.line(line));
      std::smatch match;
      const auto own = code_.blocks_around(line);
      if (!std::regex_match(text, match, call) || own.empty() || blocks.empty() ||
          own.front().begin != blocks.front().begin || !mentions(code_.directive_line(line_), match[1].str()))
        continue;
      std::uint32_t last = line_;
      for (std::uint32_t l = line + 1; l < blocks.front().end.line; ++l)
        if (mentions(code_.line(l), match[1].str()) || mentions(code_.directive_line(l), match[1].str())) last = l;
      const auto final = DirectiveText::at(code_, last);
      if (!final || !final->stands_alone()) return std::nullopt;
      return Repair{"free '" + match[1].str() + "' after its last use: the device still has it",
                    {{{code_.file(), line, 1}, "", true},
                     inserted_before(code_, final->last_line() + 1, std::string(trimmed(code_.original(line))), line)}};
    }
    return std::nullopt;
  }

  // ---- what is mapped -----------------------------------------------------------------------------------------------

  std::optional<Repair> whole() const {
    std::vector<const Mapping*> candidates;
    for (const Mapping& one : all_)
      if (one.item.find(':') != std::string::npos && one.directive.first_line() <= line_ && !one.is("exit") &&
          (one.is("enter") || is_around(one, line_)))
        candidates.push_back(&one);
    const std::string count = elements(name_);
    if (candidates.size() != 1 || count.empty()) return std::nullopt;
    const std::string item = name_ + "[0:" + count + "]";
    if (without_blanks(item) == without_blanks(candidates.front()->item)) return std::nullopt;
    const auto edit = candidates.front()->with_item(code_, item);
    if (!edit) return std::nullopt;
    return Repair{"map '" + item + "' here: the device uses more than is mapped", {*edit}};
  }

  std::optional<Repair> add_map() {
    const auto target = target_around();
    const auto body = target ? target->body(code_) : std::nullopt;
    if (!body) return std::nullopt;
    std::string name, section;
    for (const Position at : names_on_line()) {
      const std::string own(first_word(code_.line(at.line).substr(at.column)));
      if (own == name || !mappings_of(own, function_, code_).empty()) continue;
      const std::string count = elements(own);
      if (count.empty()) continue;
      if (!name.empty()) return std::nullopt;
      name = own;
      section = count;
    }
    if (name.empty()) return std::nullopt;
    name_ = name;
    const std::string clause =
        std::string("map(") + (is_set(*body) ? "tofrom: " : "to: ") + name + "[0:" + section + "]";
    const auto edit = target->with(code_, clause + ")");
    if (!edit) return std::nullopt;
    return Repair{"add '" + clause + ")' to the construct here: mapping a pointer does not map what it points to",
                  {*edit}};
  }

  /// Where words stand that an index or an arrow follows.
  std::vector<Position> names_on_line() const {
    std::vector<Position> out;
    const std::string_view text = code_.line(line_);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!is_word(text[i]) || (i > 0 && is_word(text[i - 1]))) continue;
      const std::string_view word = first_word(text.substr(i));
      if (word.empty()) continue;
      const std::string_view behind = trimmed(text.substr(i + word.size()));
      if (behind.starts_with('[') && !trimmed(text.substr(0, i)).ends_with("->") &&
          !trimmed(text.substr(0, i)).ends_with('.'))
        out.push_back({line_, i});
    }
    return out;
  }
};

} // namespace

std::optional<Repair> repair_mapping(const Group& group, Codes& codes) {
  if (std::ranges::any_of(group, [](const Diagnostic* one) { return one->rule != Rule::mapping_bug; }))
    return std::nullopt;
  return MappingRepair(*group.front(), codes).find();
}

} // namespace fletcher::reports
