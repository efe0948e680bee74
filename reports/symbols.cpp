// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects what a document asks, and answers from the result.
#include "reports/symbols.hpp"

#include "reports/elf_image.hpp"
#include "reports/stack_variables.hpp"
#include "reports/symbolizer.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

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

std::vector<Address> key_of(const StackVariable& variable) {
  const CallFrame& call = variable.frame.call;
  std::vector<Address> key{variable.address, call.pc, call.stack_pointer, call.frame_pointer};
  if (const FrameDetails* const details = variable.frame.details.get()) {
    key.insert(key.end(), details->registers.begin(), details->registers.end());
    key.insert(key.end(), details->memory.begin(), details->memory.end());
  }
  return key;
}

} // namespace

/// Fills a SymbolTable: questions first, then answers from the symbolizer or from ELF symbols.
class SymbolCollector {
public:
  SymbolCollector(const Document& document, SymbolTable& table) : document_(document), table_(table) {}

  void collect() {
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
      for (const Step& step : finding.steps) {
        add_code(step.stack);
        for (const TaskDescription& task : step.tasks) add_code(task.creation);
        if (step.mutex) add_data(step.mutex->address);
      }
      add_code(finding.object.origin);
      for (const StackVariable& variable : finding.stack_variables) {
        add_code({variable.frame.call.pc});
        stack_variables_.push_back(variable);
      }
      add_code(finding.fix_place);
      if (finding.object.kind == ObjectKind::stack && finding.object.frame_pointer != 0 &&
          !finding.object.origin.empty())
        frames_.insert(finding.object.origin.front());
    }
  }

  void answer(const std::string& wanted) {
    std::vector<Query> queries;
    std::vector<Address> addresses;
    const auto add = [&](Query::Kind kind, const std::set<Address>& from, Address back) {
      for (const Address address : from)
        if (const auto location = document_.locate(address)) {
          queries.push_back({kind, document_.modules[location->module].path, location->offset - back});
          addresses.push_back(address);
        }
    };
    // A return address may be the first instruction of the next line: the call is the byte before it.
    add(Query::Kind::code, code_, 1);
    add(Query::Kind::frame, frames_, 1);
    add(Query::Kind::data, data_, 0);
    if (queries.empty()) return;

    std::vector<Answer> answers(queries.size());
    if (const auto program = find_symbolizer(wanted); !program) {
      table_.problem_ = program.error() + ": places are shown as module+offset";
    } else if (auto got = ask(*program, queries); !got) {
      table_.problem_ = got.error() + ": places are shown as module+offset";
    } else {
      answers = std::move(*got);
    }
    for (std::size_t i = 0; i < queries.size(); ++i) {
      switch (queries[i].kind) {
      case Query::Kind::code:
        take_code(addresses[i], queries[i], answers[i]);
        break;
      case Query::Kind::data:
        take_data(addresses[i], queries[i], answers[i]);
        break;
      case Query::Kind::frame:
        take_frame(addresses[i], queries[i], answers[i]);
        break;
      }
    }
    for (const auto& [module, lines] : lines_of_)
      if (!lines && table_.problem_.empty())
        table_.problem_ = module + " has no line information (compile with -g): places are shown as module+offset";
  }

  void answer_frames(const std::string& program) {
    if (stack_variables_.empty() || program.empty()) return;
    const auto answers = ask_frames(program, document_, stack_variables_);
    if (!answers) return; // a name less
    for (std::size_t i = 0; i < stack_variables_.size(); ++i)
      if (const auto& known = (*answers)[i])
        table_.stack_variables_[key_of(stack_variables_[i])] = {
            known->name, {tidy(known->file), known->line, 0}, known->start, known->size};
  }

private:
  void add_code(const Stack& stack) { code_.insert(stack.begin(), stack.end()); }
  void add_data(Address address) { data_.insert(address); }

  const ElfImage& image(const std::string& path) { return images_.try_emplace(path, path).first->second; }

  void take_code(Address address, const Query& query, const Answer& answer) {
    auto& out = table_.code_[address];
    const bool runtime_module = is_runtime_module(query.file);
    const auto add = [&](std::string name, SourcePlace place, std::uint32_t function_line) {
      Frame& frame = out.emplace_back();
      frame.runtime = runtime_module || is_runtime_function(name);
      frame.function = user_function(name);
      frame.compiler_name = std::move(name);
      frame.place = std::move(place);
      frame.function_line = function_line;
      frame.module = query.file;
      frame.offset = query.offset + 1;
    };
    for (const CodeAnswer& code : answer.code) {
      // Line 0 is code without a line of its own; its function's line is nearer to the truth than nothing.
      const bool exact = code.line != 0;
      add(code.function, {tidy(code.file), exact ? code.line : code.function_line, exact ? code.column : 0},
          code.function_line);
    }
    const bool named = !out.empty() && (!out.front().function.name.empty() || out.front().place.known() ||
                                        out.front().function.outlined != Outlined::no);
    // Libraries of the system come without line information as a rule.
    if (!runtime_module && !query.file.starts_with("/usr/lib") && !query.file.starts_with("/lib"))
      lines_of_[query.file] |= std::any_of(out.begin(), out.end(), [](const Frame& f) { return f.place.known(); });
    if (named) return;
    out.clear();
    const auto symbol = image(query.file).function(query.offset);
    add(symbol ? symbol->name : std::string(), {}, 0);
  }

  void take_data(Address address, const Query& query, const Answer& answer) {
    const Address base = address - query.offset;
    if (answer.data && query.offset >= answer.data->start && query.offset - answer.data->start < answer.data->size) {
      const DataAnswer& data = *answer.data;
      table_.globals_[address] = {data.name, {tidy(data.file), data.line, 0}, base + data.start, data.size};
    } else if (const auto symbol = image(query.file).object(query.offset)) {
      table_.globals_[address] = {symbol->name, {}, base + symbol->start, symbol->size};
    }
  }

  void take_frame(Address address, const Query& query, const Answer& answer) {
    auto& locals = table_.locals_[address];
    locals.maybe_clang = image(query.file).maybe_clang();
    for (const FrameAnswer& variable : answer.frame)
      // Nameless ones and ".global_tid." are the compiler's.
      if (!variable.name.empty() && variable.name.front() != '.')
        locals.variables.push_back(
            {{variable.name, {tidy(variable.file), variable.line, 0}, 0, variable.size}, variable.offset});
  }

  const Document& document_;
  SymbolTable& table_;
  std::set<Address> code_, data_, frames_;
  std::vector<StackVariable> stack_variables_;
  std::map<std::string, ElfImage> images_;
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

std::optional<Variable> SymbolTable::global(Address address) const {
  const auto found = globals_.find(address);
  if (found == globals_.end()) return std::nullopt;
  return found->second;
}

std::optional<Variable> SymbolTable::local(Address pc, Address frame_pointer, Address address) const {
  const auto found = locals_.find(pc);
  if (found == locals_.end() || frame_pointer == 0) return std::nullopt;
  const Locals& locals = found->second;
  const auto relative = static_cast<std::int64_t>(address - frame_pointer);

  struct Match {
    std::optional<Variable> variable;
    bool several = false; ///< names, as for variables of blocks that share their memory
    bool any() const noexcept { return variable.has_value(); }
    std::optional<Variable> only() const { return several ? std::nullopt : variable; }
  };
  // Only one name may fit: gcc lists the variables of a nested outlined function too, which live in another frame.
  const auto match = [&](std::int64_t offset) {
    Match hit;
    for (const auto& [variable, start] : locals.variables) {
      if (offset < start || offset - start >= static_cast<std::int64_t>(std::max<std::uint64_t>(variable.size, 1)))
        continue;
      hit.several |= hit.any() && hit.variable->name != variable.name;
      hit.variable = variable;
      hit.variable->start = address - static_cast<Address>(offset - start);
    }
    return hit;
  };
  // clang describes frames relative to the frame pointer, gcc relative to the caller's stack pointer, 16 bytes above.
  constexpr std::int64_t cfa_above_frame_pointer = 16;
  const Match as_gcc = match(relative - cfa_above_frame_pointer);
  if (!locals.maybe_clang) return as_gcc.only();
  // A negative offset nearer to the base than 16 cannot be gcc's: the saved frame pointer and return address lie there.
  const bool surely_clang =
      std::any_of(locals.variables.begin(), locals.variables.end(), [](const LocalVariable& local) {
        return local.offset < 0 &&
               local.offset + static_cast<std::int64_t>(local.variable.size) > -cfa_above_frame_pointer;
      });
  const Match as_clang = match(relative);
  if (surely_clang || !as_gcc.any()) return as_clang.only();
  if (!as_clang.any()) return as_gcc.only();
  const auto one = as_clang.only(), other = as_gcc.only();
  return one && other && one->name == other->name ? one : std::nullopt;
}

std::optional<Variable> SymbolTable::local(const StackVariable& variable) const {
  const auto found = stack_variables_.find(key_of(variable));
  if (found == stack_variables_.end()) return std::nullopt;
  return found->second;
}

SymbolTable symbolize(const Document& document, const std::string& symbolizer, const std::string& frame_variables) {
  SymbolTable table;
  SymbolCollector collector(document, table);
  collector.collect();
  collector.answer(symbolizer);
  collector.answer_frames(frame_variables);
  return table;
}

} // namespace fletcher::reports
