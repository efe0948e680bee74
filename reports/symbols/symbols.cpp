// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects what documents ask, and answers from the result.
#include "reports/symbols/symbols.hpp"

#include "reports/document/words.hpp"
#include "reports/explanation/task_stacks.hpp"
#include "reports/symbols/construct_lines.hpp"
#include "reports/symbols/cython_sources.hpp"
#include "reports/symbols/elf_image.hpp"
#include "reports/symbols/nearest_line.hpp"
#include "reports/symbols/stack_variables.hpp"
#include "reports/symbols/symbolizer.hpp"
#include "reports/symbols/together.hpp"
#include "reports/symbols/variable_names.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

namespace fletcher::reports {
namespace {

/// "/usr/lib/gcc/../../include" as people write it.
std::string tidy(const std::string& path) {
  return path.empty() ? path : std::filesystem::path(path).lexically_normal().string();
}

/// clang wraps a task's body, and at -g the body of every outlined function, into a second function of the same
/// construct. The wrapper says nothing that its callee does not.
bool is_wrapper_of(const std::string& callee, const std::string& name) {
  if (name.find(".omp_task_entry") != std::string::npos) return callee.find(".omp_outlined") != std::string::npos;
  return callee.find(".omp_outlined_debug__") != std::string::npos && name.find(".omp_outlined") != std::string::npos &&
         user_function(name).name == user_function(callee).name;
}

/// What the system comes with has no line information as a rule.
bool is_of_system(std::string_view file) {
  constexpr std::array<std::string_view, 4> folders{"/usr/lib", "/usr/bin", "/lib", "/bin"};
  return std::ranges::any_of(folders, [&](std::string_view folder) { return file.starts_with(folder); });
}

std::vector<Address> key_of(const StackVariable& variable) {
  const CallFrame& call = variable.frame.call;
  std::vector<Address> key{variable.address, call.pc, call.stack_pointer, call.frame_pointer};
  if (const FrameDetails* const details = variable.frame.details.get()) {
    key.insert(key.end(), details->registers.begin(), details->registers.end());
    key.insert(key.end(), details->memory.begin(), details->memory.end());
  }
  return key;
}

/// By what finds the variable at `address` in the frame that owns the object.
std::vector<Address> key_of(const ObjectDescription& object, Address address) {
  return {address, object.origin.front(), object.stack_pointer, object.frame_pointer};
}

/// What is read of files that several documents name.
struct Files {
  const ElfImage& image(const std::string& path) { return images.try_emplace(path, path).first->second; }

  std::map<std::string, ElfImage> images;
  CythonSources cython;
};

} // namespace

/// Fills a SymbolTable: questions first, then answers from the symbolizer or from ELF symbols.
class SymbolCollector {
public:
  SymbolCollector(const Document& document, Files& files, SymbolTable& table)
      : document_(document), files_(files), table_(table) {}

  void collect() {
    if (document_.run.death) add_step(*document_.run.death);
    for (const Finding& finding : document_.findings) {
      for (const AccessDescription& access : finding.accesses) {
        add_code(access.stack);
        add_data(access.address);
        for (const TaskDescription& task : access.tasks) add_code(task.creation);
        for (const HeldLock& lock : access.locks) {
          add_code(lock.acquired_at);
          add_data(lock.mutex.address);
        }
        for (const Dependence& dependence : access.declared) add_data(dependence.address);
      }
      for (const Step& step : finding.steps) add_step(step);
      add_code(finding.object.origin);
      for (const StackVariable& variable : finding.stack_variables) {
        add_code({variable.frame.call.pc});
        add_question(variable.address, variable.frame, FrameQuestion::Moment::call, key_of(variable));
      }
      add_code(finding.fix_place);
      add_object(finding);
    }
  }

  void add_code(const Stack& stack) { code_.insert(stack.begin(), stack.end()); }

  /// To be asked first: the symbolizer is asked for what is left.
  std::vector<FrameQuestion> frame_questions() { return std::exchange(questions_, {}); }

  void take_frame_variables(const std::vector<std::optional<FrameVariable>>& answers) {
    if (keys_.empty()) return;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      auto& variable = table_.frame_variables_[keys_[i]];
      if (i >= answers.size() || !answers[i]) continue;
      const auto& known = answers[i];
      variable.emplace();
      variable->name = user_variable(known->name);
      variable->declared = files_.cython.written({tidy(known->file), known->line, 0});
      variable->start = known->start;
      variable->size = known->size;
      variable->function = demangled(known->function);
    }
    frames_.clear();
  }

  std::vector<Query> queries() {
    std::vector<Query> queries;
    const auto add = [&](Query::Kind kind, const std::set<Address>& from, Address back) {
      for (const Address address : from)
        if (const auto location = document_.locate(address)) {
          const Query query{kind, document_.modules[location->module].path, location->offset - back};
          // Such frames are hidden, and reading the debug information of a libc takes as long as all the rest.
          if (kind == Query::Kind::code && is_runtime_module(query.file)) {
            take_code(address, query, {});
            continue;
          }
          queries.push_back(query);
          addresses_.push_back(address);
        }
    };
    // A return address may be the first instruction of the next line: the call is the byte before it.
    add(Query::Kind::code, code_, 1);
    add(Query::Kind::frame, frames_, 1);
    add(Query::Kind::data, data_, 0);
    construct_lines_.emplace(queries);
    return queries;
  }

  void take(const std::vector<Query>& queries, Result<std::vector<Answer>> told) {
    if (queries.empty()) return;
    std::vector<Answer> answers(queries.size());
    if (told)
      answers = std::move(*told);
    else
      table_.problem_ = told.error() + ": places are shown as module+offset";
    construct_lines_->apply(answers);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      switch (queries[i].kind) {
      case Query::Kind::code:
        take_code(addresses_[i], queries[i], answers[i]);
        break;
      case Query::Kind::data:
        take_data(addresses_[i], queries[i], answers[i]);
        break;
      case Query::Kind::frame:
        take_frame(addresses_[i], queries[i], answers[i]);
        break;
      }
    }
    for (const auto& [module, lines] : lines_of_)
      if (!lines && table_.problem_.empty())
        table_.problem_ = module + " has no line information (compile with -g): places are shown as module+offset";
  }

private:
  void add_step(const Step& step) {
    add_code(step.stack);
    for (const TaskDescription& task : step.tasks) add_code(task.creation);
    if (step.mutex) add_data(step.mutex->address);
  }
  void add_data(Address address) { data_.insert(address); }
  void add_object(const Finding& finding) {
    const ObjectDescription& object = finding.object;
    if (object.kind != ObjectKind::stack || object.frame_pointer == 0 || object.origin.empty()) return;
    frames_.insert(object.origin.front());
    const StackFrame frame{{object.origin.front(), object.stack_pointer, object.frame_pointer}, nullptr};
    for (const AccessDescription& access : finding.accesses) {
      add_question(access.address, frame, FrameQuestion::Moment::entry, key_of(object, access.address));
    }
  }
  void add_question(Address address, const StackFrame& frame, FrameQuestion::Moment moment, std::vector<Address> key) {
    FrameQuestion& question = questions_.emplace_back(FrameQuestion{address, frame, moment, {}, 0});
    keys_.push_back(std::move(key));
    const auto location = document_.locate(frame.call.pc);
    if (!location) return;
    question.file = document_.modules[location->module].path;
    question.offset = location->offset;
  }

  void take_code(Address address, const Query& query, const Answer& answer) {
    auto& out = table_.code_[address];
    const bool runtime_module = is_runtime_module(query.file);
    const auto add = [&](std::string name, bool own_line, SourcePlace place, std::uint32_t function_line) {
      Frame& frame = out.emplace_back();
      frame.runtime = runtime_module || is_runtime_function(name);
      frame.function = user_function(name);
      frame.compiler_name = std::move(name);
      frame.place = std::move(place);
      frame.own_line = own_line;
      frame.function_line = function_line;
      frame.module = query.file;
      frame.offset = query.offset + 1;
    };
    for (const CodeAnswer& code : answer.code) {
      // Code without a line of its own; its function's line is nearer to the truth than nothing.
      const bool exact = code.line != 0;
      add(code.function, exact && !code.line_is_near,
          files_.cython.written({tidy(code.file), exact ? code.line : code.function_line, exact ? code.column : 0}),
          code.function_line);
    }
    const bool named = !out.empty() && (!out.front().function.name.empty() || out.front().place.known() ||
                                        out.front().function.outlined != Outlined::no);
    if (!runtime_module && !is_of_system(query.file))
      lines_of_[query.file] |= std::any_of(out.begin(), out.end(), [](const Frame& f) { return f.place.known(); });
    if (named) return;
    out.clear();
    const auto symbol = files_.image(query.file).function(query.offset);
    add(symbol ? symbol->name : std::string(), false, {}, 0);
  }

  void take_data(Address address, const Query& query, const Answer& answer) {
    const Address base = address - query.offset;
    if (answer.data && query.offset >= answer.data->start && query.offset - answer.data->start < answer.data->size) {
      const DataAnswer& data = *answer.data;
      table_.globals_[address] = {
          user_variable(data.name), {tidy(data.file), data.line, 0}, base + data.start, data.size, {}};
    } else if (const auto symbol = files_.image(query.file).object(query.offset)) {
      table_.globals_[address] = {user_variable(symbol->name), {}, base + symbol->start, symbol->size, {}};
    } else {
      table_.unnamed_data_[address] =
          std::filesystem::path(query.file).filename().string() + "+" + hexadecimal(query.offset);
    }
  }

  void take_frame(Address address, const Query& query, const Answer& answer) {
    FrameLayout& layout = table_.layouts_[address];
    layout.maybe_clang = files_.image(query.file).maybe_clang();
    // Nameless ones and ".global_tid." are the compiler's.
    std::copy_if(answer.frame.begin(), answer.frame.end(), std::back_inserter(layout.variables),
                 [](const FrameAnswer& variable) { return !variable.name.empty() && variable.name.front() != '.'; });
  }

  const Document& document_;
  Files& files_;
  SymbolTable& table_;
  std::set<Address> code_, data_, frames_;
  std::vector<FrameQuestion> questions_;
  std::vector<std::vector<Address>> keys_; ///< of the questions' answers
  std::vector<Address> addresses_;         ///< that the queries are about
  std::optional<ConstructLines> construct_lines_;
  std::map<std::string, bool> lines_of_; ///< whether a module of the program has line information
};

std::vector<Frame> SymbolTable::frames(Address pc) const {
  if (const auto found = code_.find(pc); found != code_.end()) return found->second;
  Frame unknown;
  unknown.offset = pc;
  return {unknown};
}

std::vector<Frame> SymbolTable::shown(const Stack& stack) const {
  std::vector<Frame> all, out;
  for (const Address pc : stack)
    for (Frame& frame : frames(pc)) all.push_back(std::move(frame));
  for (const Frame& frame : all) {
    if (frame.runtime) continue;
    if (!out.empty() && is_wrapper_of(out.back().compiler_name, frame.compiler_name)) {
      // clang's task bodies have the same names as its parallel regions; only the wrapper tells.
      if (frame.function.outlined == Outlined::task) out.back().function.outlined = Outlined::task;
      continue;
    }
    out.push_back(frame);
  }
  return out.empty() ? all : out;
}

void SymbolTable::label(const std::map<std::string, Outlined>& constructs) {
  for (auto& [pc, frames] : code_)
    for (Frame& frame : frames)
      if (const auto found = constructs.find(frame.compiler_name); found != constructs.end())
        frame.function.outlined = found->second;
}

std::optional<Variable> SymbolTable::global(Address address) const {
  const auto found = globals_.find(address);
  if (found == globals_.end()) return std::nullopt;
  return found->second;
}

std::string SymbolTable::place_in_module(Address address) const {
  const auto found = unnamed_data_.find(address);
  return found == unnamed_data_.end() ? std::string() : found->second;
}

std::optional<Variable> SymbolTable::local(const ObjectDescription& object, Address address) const {
  if (object.origin.empty() || object.frame_pointer == 0) return std::nullopt;
  if (const auto found = frame_variables_.find(key_of(object, address)); found != frame_variables_.end())
    return found->second;
  const auto layout = layouts_.find(object.origin.front());
  if (layout == layouts_.end()) return std::nullopt;
  const auto variable = layout->second.at(object.frame_pointer, address);
  if (!variable) return std::nullopt;
  const FrameAnswer& told = variable->told;
  return Variable{told.name, {tidy(told.file), told.line, 0}, variable->start, told.size, {}};
}

std::optional<Variable> SymbolTable::local(const StackVariable& variable) const {
  const auto found = frame_variables_.find(key_of(variable));
  return found == frame_variables_.end() ? std::nullopt : found->second;
}

namespace {

void answer_frames(std::vector<SymbolCollector>& collectors, const std::string& program) {
  if (program.empty()) return;
  std::vector<std::vector<FrameQuestion>> questions;
  for (SymbolCollector& collector : collectors) questions.push_back(collector.frame_questions());
  const auto answers = ask_together(questions, [&](const auto& asked) { return ask_frames(program, asked); });
  for (std::size_t i = 0; i < collectors.size(); ++i)
    if (answers[i]) collectors[i].take_frame_variables(*answers[i]); // else names less
}

void answer(std::vector<SymbolCollector>& collectors, const std::string& wanted) {
  std::vector<std::vector<Query>> queries;
  for (SymbolCollector& collector : collectors) queries.push_back(collector.queries());
  auto answers = ask_together(queries, [&](const std::vector<Query>& asked) -> Result<std::vector<Answer>> {
    if (asked.empty()) return std::vector<Answer>();
    const auto program = find_symbolizer(wanted);
    if (!program) return Error{program.error()};
    auto told = ask(*program, asked);
    if (told) find_nearest_lines(*program, asked, *told);
    return told;
  });
  for (std::size_t i = 0; i < collectors.size(); ++i) collectors[i].take(queries[i], std::move(answers[i]));
}

} // namespace

std::vector<SymbolTable> symbolize_each(const std::vector<const Document*>& documents, const std::string& symbolizer,
                                        const std::string& frame_variables) {
  Files files;
  std::vector<SymbolTable> tables(documents.size());
  std::vector<SymbolCollector> collectors;
  for (std::size_t i = 0; i < documents.size(); ++i) collectors.emplace_back(*documents[i], files, tables[i]).collect();
  answer_frames(collectors, frame_variables);
  answer(collectors, symbolizer);
  for (std::size_t i = 0; i < documents.size(); ++i) tables[i].label(constructs_of(*documents[i], tables[i]));
  return tables;
}

SymbolTable symbolize(const Document& document, const std::string& symbolizer, const std::string& frame_variables) {
  return std::move(symbolize_each({&document}, symbolizer, frame_variables).front());
}

SymbolTable symbolize_code(const Document& document, const Stack& addresses, const std::string& symbolizer) {
  Files files;
  SymbolTable table;
  std::vector<SymbolCollector> collectors;
  collectors.emplace_back(document, files, table).add_code(addresses);
  answer(collectors, symbolizer);
  return table;
}

} // namespace fletcher::reports
