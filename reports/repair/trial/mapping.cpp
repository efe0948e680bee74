// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's and the device's copy of the data that a finding is about, statement by statement and map clause by map
// clause: which of them is valid at the access.
#include "checker/rules/mapping_words.hpp"
#include "reports/repair/source/directives/mapped_data.hpp"
#include "reports/repair/trial/versions.hpp"

#include <algorithm>
#include <array>

namespace fletcher::reports {
namespace {

namespace words = rules::mapping_words;

/// The finding with its lines as they are in a version.
Diagnostic in_version(const Diagnostic& finding, const Version& version) {
  Diagnostic out = finding;
  out.place.line = version.line(finding.place.line).value_or(0);
  if (finding.declared.file == version.code().file())
    out.declared.line = version.line(finding.declared.line).value_or(0);
  for (Note& note : out.notes)
    if (note.place.file == version.code().file()) note.place.line = version.line(note.place.line).value_or(0);
  return out;
}

class MappingTrial : MappedData {
public:
  MappingTrial(const Diagnostic& finding, const Version& version) : MappedData(finding, version.codes()) {}

  std::optional<bool> fails() {
    const auto function = code_.is_c() && line_ != 0 ? code_.function_around(line_) : std::nullopt;
    if (!function) return std::nullopt;
    function_ = *function;
    if (says(words::not_mapped)) return lacks_map();
    if (says(words::freed)) return is_freed_before();
    if (const auto other = says(words::stale_on_host) ? mapping_elsewhere() : std::nullopt)
      return other->map.type != "from" && other->map.type != "tofrom";
    name_ = name();
    if (name_.empty()) return std::nullopt;
    if (says(words::of_mapped)) return is_too_short();
    replay();
    if (says(words::stale_on_host)) return host_is_old_;
    if (says(words::stale_on_device)) return device_is_old_;
    if (says(words::replaced)) return was_replaced_;
    if (says(words::undefined_on_host)) return copied_undefined_;
    if (says(words::undefined)) return !is_defined_;
    return std::nullopt;
  }

private:
  // ---- extents ------------------------------------------------------------------------------------------------------

  /// The item has all of the variable.
  bool is_whole(const std::string& item) const {
    const std::string own = without_blanks(item);
    if (own == name_) return true;
    for (const Extent& body : target_bodies())
      if (const auto used = elements_used(name_, body, code_);
          !used.empty() && own == without_blanks(name_ + "[0:" + used + "]"))
        return true;
    const std::string all = elements_of(name_, function_, code_);
    return !all.empty() && own == without_blanks(name_ + "[0:" + all + "]");
  }

  std::optional<bool> is_too_short() const {
    std::optional<bool> out;
    for (const Mapping& one : mappings_of(name_, function_, code_)) {
      if (one.is("exit") || one.directive.first_line() > line_ || (!one.is("enter") && !is_around(one, line_)))
        continue;
      if (out) return std::nullopt;
      out = !is_whole(one.item);
    }
    return out;
  }

  std::optional<bool> lacks_map() const {
    const auto target = target_around();
    if (!target) return std::nullopt;
    const std::string_view text = code_.line(line_);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!is_word(text[i]) || (i > 0 && is_word(text[i - 1]))) continue;
      const std::string used(first_word(text.substr(i)));
      if (used.empty() || !trimmed(text.substr(i + used.size())).starts_with('[')) continue;
      const auto names = [&](const Clause& clause) {
        const auto map = read_map(clause);
        return map && !map->item_of(used).empty();
      };
      if (std::ranges::none_of(target->clauses(), names)) return true;
    }
    return false;
  }

  std::optional<bool> is_freed_before() const {
    const auto directive = DirectiveText::at(code_, line_);
    if (!directive) return std::nullopt;
    for (std::uint32_t line = function_.begin.line; line < line_; ++line)
      if (const std::string text = without_blanks(code_.line(line)); text.starts_with("free("))
        if (mentions(code_.directive_line(line_), text.substr(5, text.find(')') - 5))) return true;
    return false;
  }

  // ---- values -------------------------------------------------------------------------------------------------------

  void enter(const std::string& type) {
    if (present_++ > 0) return; // a map clause copies only what is not there yet
    const bool copies = type == "to" || type == "tofrom";
    device_is_old_ = false;
    is_defined_ = copies;
  }

  void exit(const std::string& type) {
    if (present_ == 0 || (type != "delete" && --present_ > 0)) return;
    present_ = 0;
    if (type == "from" || type == "tofrom") {
      was_replaced_ |= device_is_old_;
      copied_undefined_ |= !is_defined_;
      host_is_old_ = false;
    }
  }

  void update(const DirectiveText& directive) {
    for (const Clause& clause : directive.clauses()) {
      if ((clause.name != "to" && clause.name != "from") || first_word(clause.arguments) != name_ ||
          !is_whole(std::string(trimmed(clause.arguments))))
        continue;
      const bool later = directive.clause("nowait") != nullptr;
      if (clause.name == "to") {
        device_is_old_ = false;
        is_defined_ = true;
      } else if (later) {
        is_being_copied_ = true;
      } else {
        host_is_old_ = false;
      }
    }
  }

  /// Up to the line of the access.
  void replay() {
    if (is_declared_for_device()) present_ = 1;
    std::vector<std::pair<std::uint32_t, std::string>> regions; ///< their last lines, and what is done there
    std::uint32_t device_until = 0;
    for (std::uint32_t line = function_.begin.line; line <= line_; ++line) {
      while (!regions.empty() && regions.back().first < line) {
        exit(regions.back().second);
        regions.pop_back();
      }
      if (const auto directive = DirectiveText::at(code_, line)) {
        if (directive->is("taskwait") && is_being_copied_) host_is_old_ = is_being_copied_ = false;
        if (directive->is("target")) {
          const auto body = directive->body(code_);
          if (const auto type = begin(*directive, body); body && type) regions.emplace_back(body->end.line, *type);
          if (body && directive->clause("data") == nullptr) device_until = body->end.line;
        }
      }
      const Extent own{{line, 0}, {line + 1, 0}};
      if (line == line_ || !is_set(own)) continue;
      if (line <= device_until)
        host_is_old_ = true;
      else if (present_ > 0)
        device_is_old_ = true;
      else
        host_is_old_ = false;
    }
  }

  /// What the directive does with the data; of a region, what its end does.
  std::optional<std::string> begin(const DirectiveText& directive, const std::optional<Extent>& body) {
    if (directive.clause("update") != nullptr) {
      update(directive);
      return std::nullopt;
    }
    for (const Clause& clause : directive.clauses()) {
      const auto map = read_map(clause);
      if (!map || map->item_of(name_).empty()) continue;
      if (directive.clause("exit") != nullptr)
        exit(map->type);
      else
        enter(map->type);
      return map->type;
    }
    const bool implicit = body && directive.clause("data") == nullptr && !code_.mentions(name_, *body).empty();
    if (!implicit) return std::nullopt;
    enter("tofrom");
    return "tofrom";
  }

  int present_ = 0;
  bool host_is_old_ = false, device_is_old_ = false, is_defined_ = true;
  bool was_replaced_ = false, copied_undefined_ = false, is_being_copied_ = false;
};

} // namespace

std::optional<bool> mapping_fails(const Diagnostic& finding, const Version& version) {
  if (finding.place.file != version.code().file()) return std::nullopt;
  const Diagnostic own = in_version(finding, version);
  return MappingTrial(own, version).fails();
}

} // namespace fletcher::reports
