// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/tasks/elements_read.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/directives/depend_clause.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace fletcher::reports {
namespace {

class ElementsRead {
public:
  ElementsRead(const Group& group, const TaskConstructs& tasks, Codes& codes)
      : group_(group), leader_(*group.front()), tasks_(tasks), codes_(codes) {}

  std::optional<Repair> find() const {
    std::optional<std::uint32_t> reader;
    std::set<std::string> items;
    for (const Diagnostic* one : group_) {
      if (one->rule != Rule::data_race) continue;
      const bool first_reads = !is_write(one->sites[0].type);
      const Site &reads = one->sites[first_reads ? 0 : 1], &writes = one->sites[first_reads ? 1 : 0];
      if (is_write(reads.type)) continue;
      const auto line = line_of_construct(reads.construct, codes_.sources()),
                 other = line_of_construct(writes.construct, codes_.sources());
      if (!line || !other || (reader && *reader != *line)) return std::nullopt;
      reader = line;
      const auto missing = elements_not_named(tasks_.constructs.at(*line), reads.place, tasks_.constructs.at(*other));
      if (!missing) return std::nullopt;
      items.insert(missing->begin(), missing->end());
    }
    if (items.empty()) return std::nullopt;
    std::string list;
    for (const std::string& one : items) list += (list.empty() ? "" : ", ") + one;
    const auto edit = tasks_.constructs.at(*reader).with(*tasks_.code, depend("in", list));
    if (!edit) return std::nullopt;
    return Repair{"add '" + depend("in", list) + "' to the construct here: the task reads what other tasks write",
                  {*edit}};
  }

private:
  /// What the reading task reads of what the writing one names one element of.
  std::optional<std::set<std::string>> elements_not_named(const DirectiveText& reads, const SourcePlace& at,
                                                          const DirectiveText& writes) const {
    const auto body = reads.body(*tasks_.code);
    if (!body || !body->contains(at.line)) return std::nullopt;
    std::set<std::string> named, indices, out;
    for (const DependClause& clause : depend_clauses(reads))
      for (const std::string& one : clause.items) {
        named.insert(without_blanks(one));
        indices.merge(names_in(one));
      }
    for (const DependClause& clause : depend_clauses(writes))
      for (const std::string& written : clause.items) {
        const std::string name(first_word(written));
        const bool is_element = written.ends_with(tasks_.code->is_c() ? ']' : ')') &&
                                written.find(':') == std::string::npos && is_identifier(name);
        if (clause.type == "in" || !is_element || (is_identifier(leader_.variable) && name != leader_.variable))
          continue;
        const auto brackets = [](const std::string& text) { return std::ranges::count(text, '['); };
        for (const Position where : tasks_.code->mentions(name, *body)) {
          std::string element = element_at(*tasks_.code, where, name);
          const auto fewer = brackets(written) - brackets(element);
          // The first element of a block stands for the block.
          if (fewer == 1 && written.ends_with("[0]")) element += "[0]";
          if (element.empty() || element.find(':') != std::string::npos || (fewer != 0 && !element.ends_with("[0]")))
            return std::nullopt;
          for (const std::string& part : names_in(element))
            if (!indices.contains(part)) return std::nullopt;
          if (!named.contains(without_blanks(element))) out.insert(element);
        }
      }
    return out;
  }

  const Group& group_;
  const Diagnostic& leader_;
  const TaskConstructs& tasks_;
  Codes& codes_;
};

} // namespace

std::optional<Repair> elements_read(const Group& group, const TaskConstructs& tasks, Codes& codes) {
  return ElementsRead(group, tasks, codes).find();
}

} // namespace fletcher::reports
