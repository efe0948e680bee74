// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings as text without symbols. Kept free of everything but the document, because the checked process links it.
#include "reports/document/plain_text.hpp"

#include "reports/document/enum_names.hpp"
#include "reports/document/words.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

std::string place(const Document& document, Address address) {
  if (const auto location = document.locate(address)) {
    const std::string& path = document.modules[location->module].path;
    return path.substr(path.rfind('/') + 1) + "+" + hexadecimal(location->offset);
  }
  return hexadecimal(address);
}

std::string first_place(const Document& document, const Stack& stack) {
  return (stack.empty() ? std::string("unknown") : place(document, stack.front())) + ": ";
}

void append_stack(std::string& out, const Document& document, const Stack& stack) {
  if (stack.size() < 2) return;
  out += "    called from";
  for (std::size_t i = 1; i < stack.size(); ++i) out += " " + place(document, stack[i]);
  out += "\n";
}

std::string described(const AccessDescription& access) {
  if (!access.function.empty())
    return std::string(words(access.type)) + " by " + access.function + " of " + access.argument + " at " +
           hexadecimal(access.address);
  return std::string(words(access.type)) + (access.size != 0 ? " of " + plural(access.size, "byte") : std::string()) +
         " at " + hexadecimal(access.address);
}

std::string with_names(const Document& document, const Finding& finding, std::string_view message, std::size_t own) {
  return fill_placeholders(message, own, [&](std::string_view what, std::size_t number) -> std::string {
    if (what == "object" && !finding.accesses.empty())
      return "memory at " + hexadecimal(finding.accesses.front().address);
    if (number >= finding.steps.size()) return "?";
    const Step& step = finding.steps[number];
    if (what == "lock" && step.mutex)
      return std::string(words(step.mutex->kind)) + " at " + place(document, step.mutex->address);
    if (what == "task" && !step.tasks.empty()) return "task " + std::to_string(fletcher::number(step.tasks.front().id));
    return "a " + std::string(what);
  });
}

void append_finding(std::string& out, const Document& document, const Finding& finding) {
  const auto rule = name_of(finding.rule);
  const bool race = !finding.accesses.empty();
  const Stack none;
  const Stack& where = race                     ? finding.accesses.front().stack
                       : !finding.steps.empty() ? finding.steps.front().stack
                                                : none;
  out += first_place(document, where) + std::string(name_of(finding.severity)) + ": ";
  if (!finding.message.empty()) {
    out += with_names(document, finding, finding.message, 0);
  } else if (race) {
    out += "data race: " + described(finding.accesses.front());
    if (finding.accesses.size() > 1) out += " is not ordered with the " + described(finding.accesses[1]);
  } else {
    out += rule;
  }
  out += " [" + std::string(rule) + "]\n";
  if (race) append_stack(out, document, finding.accesses.front().stack);
  for (std::size_t i = 1; i < finding.accesses.size(); ++i) {
    const AccessDescription& other = finding.accesses[i];
    out += first_place(document, other.stack) + "note: the other access: " + described(other) + "\n";
    append_stack(out, document, other.stack);
  }
  for (const AccessDescription& access : finding.accesses)
    if (!access.tasks.empty() && !access.tasks.front().creation.empty())
      out += first_place(document, access.tasks.front().creation) + "note: the task or region of the " +
             std::string(words(access.type)) + " was created here\n";
  for (std::size_t i = 0; i < finding.steps.size(); ++i)
    if (const Step& step = finding.steps[i]; !step.message.empty())
      out += first_place(document, step.stack) + "note: " + with_names(document, finding, step.message, i) + "\n";
}

} // namespace

std::string plain_text(const Document& document) {
  if (!document.run.death && std::all_of(document.findings.begin(), document.findings.end(),
                                         [](const Finding& f) { return f.if_lines_differ; }))
    return {};
  std::string out = "fletcher " + document.run.tool_version + ": level " + std::string(name_of(document.run.level)) +
                    ", without symbols" + (document.run.rank ? ", " + rank_words(*document.run.rank) : "") + "\n";
  if (const auto& death = document.run.death) {
    out += first_place(document, death->stack) + "note: the program died of " + death->message + " here\n";
    append_stack(out, document, death->stack);
    for (const TaskDescription& task : death->tasks)
      if (!task.creation.empty())
        out += first_place(document, task.creation) + "note: the task or region around it was created here\n";
  }
  std::size_t errors = 0, warnings = 0;
  for (const Finding& finding : document.findings) {
    if (finding.if_lines_differ) continue;
    append_finding(out, document, finding);
    if (finding.severity != Severity::note) ++(finding.severity == Severity::error ? errors : warnings);
  }
  out += "fletcher: " + plural(errors, "error") + ", " + plural(warnings, "warning") + "\n";
  return out;
}

} // namespace fletcher::reports
