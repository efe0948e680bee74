// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/document/finding_key.hpp"

#include <type_traits>
#include <utility>

namespace fletcher::reports {

namespace {

class Key {
public:
  explicit Key(const Document& document) : document_(document) {}

  void add(std::uint64_t number) { text_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void add(Enum value) {
    add(static_cast<std::uint64_t>(value));
  }
  void add(const std::string& text) {
    add(text.size());
    text_ += text;
  }
  void place(Address address) {
    const auto location = document_.locate(address);
    if (!location) return add(std::uint64_t{0});
    const Module& module = document_.modules[location->module];
    add(module.build_id.empty() ? module.path : module.build_id);
    add(location->offset);
  }
  void add(const Stack& stack) {
    add(stack.size());
    for (const Address pc : stack) place(pc);
  }
  void add(const std::vector<TaskDescription>& tasks) {
    add(tasks.size());
    for (const TaskDescription& task : tasks) {
      add(task.kind);
      add(task.call);
      add(task.creation);
    }
  }
  void add(const AccessDescription& access) {
    add(access.type);
    add(std::uint64_t{access.size});
    place(access.address);
    add(access.stack);
    add(access.tasks);
    add(access.function);
    add(access.argument);
    add(access.locks.size());
    for (const HeldLock& lock : access.locks) {
      add(lock.mutex.kind);
      add(lock.acquired_at);
    }
    add(access.declared.size());
    for (const Dependence& item : access.declared) add(item.type);
  }
  void add(const Step& step) {
    add(step.message);
    add(step.stack);
    add(step.tasks);
  }
  std::string take() { return std::move(text_); }

private:
  const Document& document_;
  std::string text_;
};

} // namespace

std::string finding_key(const Document& document, const Finding& finding) {
  Key key(document);
  key.add(finding.rule);
  key.add(finding.severity);
  key.add(finding.cause);
  key.add(std::uint64_t{finding.predicted});
  key.add(std::uint64_t{finding.divided});
  key.add(finding.message);
  for (const AccessDescription& access : finding.accesses) key.add(access);
  for (const Step& step : finding.steps) key.add(step);
  // Which variable of a frame it is.
  if (finding.object.kind == ObjectKind::stack && finding.object.frame_pointer != 0)
    for (const AccessDescription& access : finding.accesses) key.add(access.address - finding.object.frame_pointer);
  for (const StackVariable& variable : finding.stack_variables) {
    key.place(variable.frame.call.pc);
    key.add(variable.address - variable.frame.call.stack_pointer);
  }
  key.add(finding.object.kind);
  key.add(finding.object.size);
  key.add(finding.object.origin);
  key.add(finding.fix);
  key.add(finding.fix_place);
  return key.take();
}

} // namespace fletcher::reports
