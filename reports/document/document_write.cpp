// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A document as JSON. An address is [module index, offset in its file, address in the process]; index -1 is no module.
#include "reports/document/document.hpp"
#include "reports/document/enum_names.hpp"

#include <nlohmann/json.hpp>

namespace fletcher::reports {
namespace {

using Json = nlohmann::ordered_json;

class Writer {
public:
  explicit Writer(const Document& document) : document_(document) {}

  Json whole() const {
    Json modules = Json::array(), findings = Json::array();
    for (const Module& module : document_.modules) modules.push_back(json(module));
    for (const Finding& finding : document_.findings) findings.push_back(json(finding));
    return {{"fletcher-document", 1}, {"run", json(document_.run)}, {"modules", modules}, {"findings", findings}};
  }

private:
  Json json(const Run& run) const {
    Json statistics = Json::object(), options = Json::object();
    for (const auto& [name, value] : run.statistics) statistics[name] = value;
    for (const auto& [name, value] : run.options) options[name] = value;
    Json out{{"program", run.program},      {"arguments", run.arguments},
             {"process", run.process},      {"tool-version", run.tool_version},
             {"level", name_of(run.level)}, {"start-time", run.start_time},
             {"end-time", run.end_time},    {"working-directory", run.working_directory},
             {"threads", run.threads},      {"statistics", statistics},
             {"options", options},          {"notes", run.notes}};
    if (run.exit_status) out["exit-status"] = *run.exit_status;
    if (run.rank) out["mpi-rank"] = *run.rank;
    if (run.death) out["death"] = json(*run.death);
    return out;
  }

  static Json json(const Module& module) {
    return {{"path", module.path},
            {"base", module.base},
            {"begin", module.begin},
            {"end", module.end},
            {"build-id", module.build_id}};
  }

  Json place(Address address) const {
    if (const auto location = document_.locate(address)) return {location->module, location->offset, address};
    return {-1, 0, address};
  }

  Json json(const Stack& stack) const {
    Json out = Json::array();
    for (const Address pc : stack) out.push_back(place(pc));
    return out;
  }

  static Json json(const Dependence& dependence) {
    return {{"address", dependence.address}, {"type", name_of(dependence.type)}, {"all-memory", dependence.all_memory}};
  }

  Json json(const HeldLock& lock) const {
    return {{"kind", name_of(lock.mutex.kind)},
            {"place", place(lock.mutex.address)},
            {"acquired-at", json(lock.acquired_at)}};
  }

  Json json(const TaskDescription& task) const {
    Json out{{"id", number(task.id)},         {"kind", name_of(task.kind)},
             {"of-league", task.of_league},   {"thread-number", task.thread_number},
             {"thread", number(task.thread)}, {"creation", json(task.creation)}};
    if (task.skipped != 0) out["skipped"] = task.skipped;
    if (!task.call.empty()) out["call"] = task.call;
    return out;
  }

  Json json(const AccessDescription& access) const {
    Json tasks = Json::array(), locks = Json::array(), declared = Json::array();
    for (const auto& task : access.tasks) tasks.push_back(json(task));
    for (const auto& lock : access.locks) locks.push_back(json(lock));
    for (const auto& dependence : access.declared) declared.push_back(json(dependence));
    Json out{{"type", name_of(access.type)},
             {"place", place(access.address)},
             {"size", access.size},
             {"stack", json(access.stack)},
             {"tasks", tasks},
             {"locks", locks},
             {"declared", declared}};
    if (!access.function.empty()) out["function"] = access.function;
    if (!access.argument.empty()) out["argument"] = access.argument;
    return out;
  }

  Json json(const ObjectDescription& object) const {
    return {{"kind", name_of(object.kind)},
            {"base", object.base},
            {"size", object.size},
            {"origin", json(object.origin)},
            {"thread", number(object.thread)},
            {"frame-pointer", object.frame_pointer},
            {"stack-pointer", object.stack_pointer}};
  }

  Json json(const StackVariable& variable) const {
    Json out = {{"address", variable.address},
                {"pc", place(variable.frame.call.pc)},
                {"stack-pointer", variable.frame.call.stack_pointer},
                {"frame-pointer", variable.frame.call.frame_pointer}};
    if (const FrameDetails* const details = variable.frame.details.get()) {
      out["end"] = details->end;
      out["registers"] = details->registers;
      out["memory-begin"] = details->memory_begin;
      out["memory"] = details->memory;
    }
    return out;
  }

  Json json(const Step& step) const {
    Json out{{"message", step.message}, {"stack", json(step.stack)}};
    if (step.mutex) out["lock"] = {{"kind", name_of(step.mutex->kind)}, {"place", place(step.mutex->address)}};
    for (const auto& task : step.tasks) out["tasks"].push_back(json(task));
    return out;
  }

  Json json(const Finding& finding) const {
    Json accesses = Json::array(), steps = Json::array();
    for (const auto& access : finding.accesses) accesses.push_back(json(access));
    for (const auto& step : finding.steps) steps.push_back(json(step));
    Json out{{"rule", name_of(finding.rule)},
             {"severity", name_of(finding.severity)},
             {"cause", name_of(finding.cause)},
             {"predicted", finding.predicted},
             {"divided", finding.divided},
             {"alone", finding.alone},
             {"message", finding.message},
             {"accesses", accesses},
             {"steps", steps},
             {"object", json(finding.object)},
             {"fix-place", json(finding.fix_place)},
             {"fix", finding.fix},
             {"distance", finding.distance},
             {"count", finding.count}};
    if (finding.reads_may_be_made) out["reads-may-be-made"] = true;
    for (const auto& variable : finding.stack_variables) out["stack-variables"].push_back(json(variable));
    if (finding.if_lines_differ) out["if-lines-differ"] = true;
    return out;
  }

  const Document& document_;
};

} // namespace

std::string to_json(const Document& document) {
  return Writer(document).whole().dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace fletcher::reports
