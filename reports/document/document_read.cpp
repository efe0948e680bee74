// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A document from JSON. Inside, a wrong value is an exception (the JSON library's, or Malformed); none gets out.
#include "reports/document/document.hpp"
#include "reports/document/enum_names.hpp"
#include "reports/document/whole_numbers.hpp"
#include "reports/document/words.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace fletcher::reports {
namespace {

using Json = nlohmann::ordered_json; // keeps the order of statistics and options

struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Enum> void read_enum(const Json& json, const char* key, Enum& out) {
  const auto& name = json.at(key).get_ref<const std::string&>();
  const auto value = value_of<Enum>(name);
  if (!value) throw Malformed("unknown " + std::string(key) + " '" + name + "'");
  out = *value;
}

template <class T> void read(const Json& json, const char* key, T& out) { json.at(key).get_to(out); }

template <class Id> Id read_id(const Json& json, const char* key) {
  return static_cast<Id>(json.at(key).get<std::uint32_t>());
}

class Reader {
public:
  Document whole(const Json& json) {
    for (const Json& module : json.at("modules")) document_.modules.push_back(read_module(module));
    document_.run = read_run(json.at("run"));
    if (json.at("run").contains("death")) document_.run.death = read_step(json.at("run").at("death"));
    for (const Json& finding : json.at("findings")) document_.findings.push_back(read_finding(finding));
    return make_document(std::move(document_.run), std::move(document_.modules), std::move(document_.findings));
  }

private:
  static Run read_run(const Json& json) {
    Run run;
    read(json, "program", run.program);
    read(json, "arguments", run.arguments);
    read(json, "process", run.process);
    read(json, "tool-version", run.tool_version);
    read_enum(json, "level", run.level);
    read(json, "start-time", run.start_time);
    read(json, "end-time", run.end_time);
    read(json, "working-directory", run.working_directory);
    read(json, "threads", run.threads);
    for (const auto& [name, value] : json.at("statistics").items())
      run.statistics.emplace_back(name, value.get<std::uint64_t>());
    for (const auto& [name, value] : json.at("options").items())
      run.options.emplace_back(name, value.get<std::string>());
    read(json, "notes", run.notes);
    if (json.contains("exit-status")) run.exit_status = json.at("exit-status").get<int>();
    if (json.contains("mpi-rank")) run.rank = json.at("mpi-rank").get<int>();
    return run;
  }

  static Module read_module(const Json& json) {
    Module module;
    read(json, "path", module.path);
    read(json, "base", module.base);
    read(json, "begin", module.begin);
    read(json, "end", module.end);
    read(json, "build-id", module.build_id);
    return module;
  }

  /// Module and offset decide, so that a document can be written by hand without process addresses.
  Address place(const Json& json) const {
    const auto module = json.at(0).get<std::int64_t>();
    if (module < 0) return json.at(2).get<Address>();
    if (static_cast<std::size_t>(module) >= document_.modules.size())
      throw Malformed("module index " + std::to_string(module) + " out of range");
    return document_.modules[static_cast<std::size_t>(module)].base + json.at(1).get<Address>();
  }

  Stack stack(const Json& json) const {
    Stack out;
    for (const Json& pc : json) out.push_back(place(pc));
    return out;
  }

  static Dependence read_dependence(const Json& json) {
    Dependence dependence;
    read(json, "address", dependence.address);
    read_enum(json, "type", dependence.type);
    read(json, "all-memory", dependence.all_memory);
    return dependence;
  }

  HeldLock read_lock(const Json& json) const {
    HeldLock lock;
    read_enum(json, "kind", lock.mutex.kind);
    lock.mutex.address = place(json.at("place"));
    lock.acquired_at = stack(json.at("acquired-at"));
    return lock;
  }

  TaskDescription read_task(const Json& json) const {
    TaskDescription task;
    task.id = read_id<TaskId>(json, "id");
    read_enum(json, "kind", task.kind);
    task.of_league = json.value("of-league", false); // an earlier document does not say
    read(json, "thread-number", task.thread_number);
    task.thread = read_id<ThreadId>(json, "thread");
    task.creation = stack(json.at("creation"));
    task.skipped = json.value("skipped", task.skipped);
    task.call = json.value("call", task.call);
    return task;
  }

  AccessDescription read_access(const Json& json) const {
    AccessDescription access;
    read_enum(json, "type", access.type);
    access.address = place(json.at("place"));
    read(json, "size", access.size);
    access.stack = stack(json.at("stack"));
    for (const Json& task : json.at("tasks")) access.tasks.push_back(read_task(task));
    for (const Json& lock : json.at("locks")) access.locks.push_back(read_lock(lock));
    for (const Json& dependence : json.at("declared")) access.declared.push_back(read_dependence(dependence));
    access.function = json.value("function", access.function);
    access.argument = json.value("argument", access.argument);
    return access;
  }

  ObjectDescription read_object(const Json& json) const {
    ObjectDescription object;
    read_enum(json, "kind", object.kind);
    read(json, "base", object.base);
    read(json, "size", object.size);
    object.origin = stack(json.at("origin"));
    object.thread = read_id<ThreadId>(json, "thread");
    read(json, "frame-pointer", object.frame_pointer);
    object.stack_pointer = json.value("stack-pointer", Address{0}); // an earlier document has none
    return object;
  }

  StackVariable read_stack_variable(const Json& json) const {
    StackVariable variable;
    read(json, "address", variable.address);
    variable.frame.call.pc = place(json.at("pc"));
    read(json, "stack-pointer", variable.frame.call.stack_pointer);
    read(json, "frame-pointer", variable.frame.call.frame_pointer);
    if (!json.contains("end")) return variable;
    FrameDetails details;
    read(json, "end", details.end);
    read(json, "registers", details.registers);
    read(json, "memory-begin", details.memory_begin);
    read(json, "memory", details.memory);
    variable.frame.details = std::make_shared<const FrameDetails>(std::move(details));
    return variable;
  }

  Step read_step(const Json& json) const {
    Step step;
    read(json, "message", step.message);
    step.stack = stack(json.at("stack"));
    if (json.contains("lock")) {
      Mutex& mutex = step.mutex.emplace();
      read_enum(json.at("lock"), "kind", mutex.kind);
      mutex.address = place(json.at("lock").at("place"));
    }
    if (json.contains("tasks"))
      for (const Json& task : json.at("tasks")) step.tasks.push_back(read_task(task));
    return step;
  }

  Finding read_finding(const Json& json) const {
    Finding finding;
    read_enum(json, "rule", finding.rule);
    read_enum(json, "severity", finding.severity);
    read_enum(json, "cause", finding.cause);
    read(json, "predicted", finding.predicted);
    if (json.contains("divided")) read(json, "divided", finding.divided);
    if (json.contains("alone")) read(json, "alone", finding.alone);
    if (json.contains("reads-may-be-made")) read(json, "reads-may-be-made", finding.reads_may_be_made);
    if (json.contains("if-lines-differ")) read(json, "if-lines-differ", finding.if_lines_differ);
    read(json, "message", finding.message);
    for (const Json& access : json.at("accesses")) finding.accesses.push_back(read_access(access));
    for (const Json& step : json.at("steps")) finding.steps.push_back(read_step(step));
    finding.object = read_object(json.at("object"));
    if (json.contains("stack-variables"))
      for (const Json& variable : json.at("stack-variables"))
        finding.stack_variables.push_back(read_stack_variable(variable));
    finding.fix_place = stack(json.at("fix-place"));
    read(json, "fix", finding.fix);
    read(json, "distance", finding.distance);
    read(json, "count", finding.count);
    return finding;
  }

  Document document_;
};

} // namespace

Result<Document> from_json(std::string_view text) {
  try {
    const Json json = Json::parse(text, whole_numbers<Json>);
    if (!json.is_object() || !json.contains("fletcher-document")) return Error{"not a Fletcher document"};
    const Json& version = json.at("fletcher-document");
    if (version != 1) return Error{"a Fletcher document of version " + version.dump() + "; this tool reads version 1"};
    return Reader().whole(json);
  } catch (const Json::parse_error& error) {
    return Error{"not a complete JSON text (byte " + std::to_string(error.byte) + " of " + std::to_string(text.size()) +
                 ")"};
  } catch (const Json::exception& error) {
    return Error{"malformed Fletcher document: " + one_line(error.what())};
  } catch (const Malformed& error) {
    return Error{"malformed Fletcher document: " + one_line(error.what())};
  } catch (const std::exception& error) {
    return Error{"cannot read the document: " + one_line(error.what())};
  }
}

} // namespace fletcher::reports
