// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hand-made documents.
#include "test/reports/samples.hpp"

#include "reports/document/enum_names.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace fletcher::reports {
namespace fs = std::filesystem;

namespace {

// CODE "file" 0x293 -> line 41, column 3. An offset below 0x10 has no answer.
constexpr const char* stand_in = R"(#!/bin/sh
here=$(dirname "$0")
while read -r kind file offset; do
  n=$((offset))
  case $kind in
  CODE)
    line=$((n / 16))
    if [ $line -eq 0 ]; then
      echo '{"Address":"'$offset'","ModuleName":"app","Symbol":[]}'
    else
      echo '{"Address":"'$offset'","ModuleName":"app","Symbol":[{"Column":'$((n % 16))',"FileName":"'$here'/sample.c","FunctionName":"f'$((line / 10))'","Line":'$line',"StartLine":'$((line / 10 * 10))'}]}'
    fi ;;
  FRAME) echo '{"Address":"'$offset'","ModuleName":"app","Frame":[]}' ;;
  DATA)
    if [ $n -ge 36864 ]; then
      printf 'table\n36864 40\n%s/sample.c:3\n\n' "$here"
    else
      printf '??\n0 0\n??:?\n\n'
    fi ;;
  esac
done
)";

} // namespace

Workspace::Workspace() {
  std::string name = (fs::temp_directory_path() / "fletcher-test-XXXXXX").string();
  folder_ = ::mkdtemp(name.data()) != nullptr ? name : ".";
  std::string source;
  for (int line = 1; line <= 60; ++line) source += "  statement_" + std::to_string(line) + "(table);\n";
  write("sample.c", source);
  write("symbolizer", stand_in);
  fs::permissions(folder_ / "symbolizer", fs::perms::owner_all);
}

Workspace::~Workspace() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Workspace::write(const std::string& name, const std::string& content) const {
  std::ofstream(folder_ / name, std::ios::binary) << content;
  return file(name);
}

Document Workspace::document(std::vector<Finding> findings) const {
  Run run;
  run.program = file("app");
  run.arguments = {"-n", "10 20"};
  run.process = 4711;
  run.tool_version = "1.2.3";
  run.level = Level::native;
  run.start_time = 1700000000123;
  run.end_time = 1700000001456;
  run.working_directory = folder_.string();
  run.exit_status = 3;
  run.threads = 4;
  run.statistics = {{"tasks", 12}, {"regions", 2}};
  run.options = {{"verbose", "1"}};
  run.notes = {"a note about the run"};
  return make_document(run,
                       {{"/lib/libother.so", 0x900000, 0x900000, 0x980000, ""},
                        {file("app"), app_base, app_base, app_base + 0x10000, "ab12"}},
                       std::move(findings));
}

TaskDescription task_at(TaskKind kind, std::uint32_t id, Address line, std::uint32_t thread_number) {
  TaskDescription task;
  task.id = TaskId{id};
  task.kind = kind;
  task.thread_number = thread_number;
  task.thread = ThreadId{thread_number + 1};
  if (line != 0) task.creation = {pc_at(line, 3), pc_at(20, 3)};
  return task;
}

AccessDescription access_at(AccessType type, Address line, TaskDescription task) {
  AccessDescription access;
  access.type = type;
  access.address = table_address + 12;
  access.size = 4;
  access.stack = {pc_at(line, 5), pc_at(21, 3)};
  access.tasks = {std::move(task), task_at(TaskKind::implicit, 2, 30), task_at(TaskKind::initial, 1, 0)};
  return access;
}

Finding race() {
  Finding finding;
  finding.accesses = {access_at(AccessType::read, 52, task_at(TaskKind::explicit_, 12, 50)),
                      access_at(AccessType::write, 41, task_at(TaskKind::explicit_, 11, 40))};
  finding.object.kind = ObjectKind::global;
  finding.cause = Cause::missing_dependence;
  return finding;
}

Finding full_finding() {
  Finding finding = race();
  finding.severity = Severity::warning;
  finding.cause = Cause::wrong_dependence_type;
  finding.predicted = true;
  finding.message = "a \"message\" with\nnewline and \xc3\xa4";
  finding.accesses[0].locks = {{{MutexKind::critical, 0x7000}, {pc_at(11, 2)}}};
  finding.accesses[1].tasks[1].of_league = true;
  finding.accesses[1].declared = {{table_address + 12, DependenceType::in, false}, {0, DependenceType::inout, true}};
  finding.steps = {{"first step", {pc_at(12, 2)}}, {"second step", {}}};
  finding.object = {ObjectKind::heap, 0x7f0000, 4096, {pc_at(13, 2), 0x12345}, ThreadId{3}, 0x7ffe, 0x7ffd};
  FrameDetails details;
  details.end = 0x7ffd'0050;
  details.registers = {1, 2, 3, 4, 0x7ffc'fff0};
  details.memory_begin = 0x7ffd'0040;
  details.memory = {0x7ffd'0060, 0x10'8000};
  finding.stack_variables = {
      {0x7ffd'0000,
       {{pc_at(15, 2), 0x7ffc'fff0, 0x7ffd'0040}, std::make_shared<const FrameDetails>(std::move(details))}}};
  finding.fix_place = {pc_at(14, 2)};
  finding.fix = "taskwait";
  finding.count = 7;
  return finding;
}

std::vector<Finding> one_of_each() {
  std::vector<Finding> out;
  for (std::size_t i = 0; i < EnumNames<Cause>::names.size(); ++i) {
    Finding& finding = out.emplace_back(race());
    finding.cause = static_cast<Cause>(i);
    finding.accesses[0].stack = {pc_at(30 + i, 2)};
  }
  for (std::size_t i = 1; i < EnumNames<Rule>::names.size(); ++i) {
    Finding& finding = out.emplace_back();
    finding.rule = static_cast<Rule>(i);
    finding.severity = i % 2 == 0 ? Severity::warning : Severity::error;
    finding.message = "what is wrong, by rule " + std::to_string(i);
    finding.steps = {{"", {pc_at(10 + i, 2)}}, {"one step of it", {pc_at(20 + i, 2)}}};
  }
  out.push_back(full_finding());
  return out;
}

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

} // namespace fletcher::reports
