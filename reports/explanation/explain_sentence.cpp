// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/explain_sentence.hpp"

#include "reports/document/words.hpp"
#include "reports/explanation/explain_tasks.hpp"
#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/source/directives.hpp"
#include "reports/symbols/variable_names.hpp"

namespace fletcher::reports {
namespace {

/// Which iteration of the same loop the access is in, seen from the other one.
std::string iteration_words(const Finding& finding, const Side& of) {
  const bool earlier = of.access == &finding.accesses.back();
  if (finding.distance == 1) return earlier ? " in the loop's previous iteration" : " in the loop's next iteration";
  return " " + std::to_string(finding.distance) + " iterations of the loop " + (earlier ? "before" : "later");
}

/// "sums" of `#pragma omp critical (sums)`, by the source; empty where it has none there.
std::string name_of_critical(const SourcePlace& entered, SourceText& sources) {
  const auto line = entered.known() ? line_of_construct(entered, sources) : std::nullopt;
  const std::string_view text = line ? sources.line(entered.file, *line).value_or(std::string_view()) : "";
  const auto word = text.find("critical");
  if (word == std::string_view::npos) return {};
  const std::string_view behind = trimmed(text.substr(word + std::string_view("critical").size()));
  return behind.starts_with('(') ? std::string(first_word(trimmed(behind.substr(1)))) : std::string();
}

/// The lock is a part of what the accesses are in: `queue.items` and `queue.lock`.
std::optional<Variable> accessed_variable_around(Address address, const Finding& finding, const SymbolTable& symbols) {
  if (finding.accesses.empty()) return std::nullopt;
  const Address accessed = finding.accesses.front().address;
  auto variable = stack_variable(finding, symbols, accessed);
  if (!variable && finding.object.kind == ObjectKind::stack) variable = symbols.local(finding.object, accessed);
  const bool around =
      variable && variable->start != 0 && variable->start <= address && address - variable->start < variable->size;
  return around ? variable : std::nullopt;
}

} // namespace

std::string race_sentence(const Finding& finding, const std::vector<Side>& sides, const Object& object,
                          const SourceText& sources) {
  const Side &a = sides[0], &b = sides[1];
  const bool same_line = a.place.known() && a.place.file == b.place.file && a.place.line == b.place.line;
  std::string out = finding.predicted ? "predicted " : "";
  out += rule_text(finding.rule).title;
  out += ": " + access_words(*a.access) + (a.access->function.empty() ? " of " : " in ") +
         accessed_words(object, *a.access) + " in " + task_words(a, a.place, sources);
  out += a.access->function.empty() ? " is not ordered with the " : ", which is not ordered with the ";
  out += std::string(words(b.access->type)) + (b.access->function.empty() ? " " : " by " + b.access->function + " ");
  out += same_line ? "on the same line" : "at " + place_words(b.place, b.stack, a.place, sources);
  if (finding.cause == Cause::simd_lanes) return out + iteration_words(finding, b);
  if (finding.divided)
    return out + " in another iteration of the loop, which another thread may execute (in this run one thread executed "
                 "both)";
  if (finding.alone)
    return out + " in another thread: this team had only one, but the program does not fix their number";
  return out + " in " + other_task_words(a, b, a.place, sources);
}

namespace {

/// "mutex_" of `std::lock_guard<std::mutex> guard(mutex_);`. Not enough to tell two locks apart.
std::string name_where_taken(const SourcePlace& taken, SourceText& sources) {
  const auto line = sources.line(taken.file, taken.line);
  if (!line) return {};
  if (const std::string mutex = guarded_mutex(*line); !mutex.empty()) return mutex;
  const auto call = lock_call(*line);
  return !call ? std::string() : call->lock.starts_with('&') ? call->lock.substr(1) : call->lock;
}

} // namespace

std::string lock_words(const Mutex& mutex, const SourcePlace& taken, const Finding& finding, const SymbolTable& symbols,
                       SourceText& sources) {
  std::string out(words(mutex.kind));
  auto variable = symbols.global(mutex.address);
  std::string name = variable ? critical_name(variable->name) : "";
  if (name.empty() && mutex.kind == MutexKind::critical) name = name_of_critical(taken, sources);
  if (!name.empty()) out += " '" + name + "'";
  // The address of such a construct's lock is the runtime's and says nothing.
  if (mutex.kind == MutexKind::critical || mutex.kind == MutexKind::ordered || mutex.kind == MutexKind::atomic)
    return out;
  if (!variable) variable = stack_variable(finding, symbols, mutex.address);
  if (!variable) variable = accessed_variable_around(mutex.address, finding, symbols);
  if (variable) {
    const Address from = variable->start != 0 && mutex.address > variable->start ? mutex.address - variable->start : 0;
    return out + " '" + variable->name + (from != 0 ? "' + " + plural(from, "byte") : "'");
  }
  const ObjectDescription& object = finding.object;
  if (object.kind == ObjectKind::heap && object.base <= mutex.address && mutex.address - object.base < object.size)
    return out + " in the same heap block (byte " + std::to_string(mutex.address - object.base) + ")";
  if (finding.rule == Rule::data_race && finding.cause != Cause::different_locks) // else an address for each
    if (const std::string text = name_where_taken(taken, sources); !text.empty()) return out + " '" + text + "'";
  const std::string place = symbols.place_in_module(mutex.address); // else the heap's, of this run only
  return out + (place.empty() ? " " + hexadecimal(mutex.address) : " at " + place);
}

} // namespace fletcher::reports
