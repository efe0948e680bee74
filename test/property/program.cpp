// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbering and printing of abstract programs.
#include "program.hpp"

#include <ostream>

namespace fletcher::property {
namespace {

void number_from(Construct& construct, std::uint32_t& next) {
  construct.id = next++;
  for (Construct& inner : construct.body) number_from(inner, next);
}

std::string variable_name(std::uint32_t variable) { return std::string(1, static_cast<char>('a' + variable)); }

class Printer {
public:
  explicit Printer(std::ostream& out) : out_(out) {}

  void print(const Construct& c) {
    switch (c.op) {
    case Op::block:
      return body(c);
    case Op::access:
      return line(c, to_text(c.access) + ' ' + variable_name(c.variable));
    case Op::locked:
      line(c, (c.lock_kind == MutexKind::critical ? "critical(" : "lock(") + std::to_string(c.lock) + ')');
      return braces(c);
    case Op::task:
      line(c, task_text(c));
      return braces(c);
    case Op::taskwait:
      return line(c, "taskwait");
    case Op::taskwait_depend:
      return line(c, "taskwait" + depend_text(c));
    case Op::taskgroup:
      line(c, "taskgroup");
      return braces(c);
    case Op::taskyield:
      return line(c, "taskyield");
    case Op::cancel:
      return line(c, "cancel taskgroup");
    case Op::fulfill:
      return line(c, "fulfill(event" + std::to_string(c.number) + ')');
    case Op::release:
      return line(c, "release(object" + std::to_string(c.number) + ')');
    case Op::acquire:
      return line(c, "acquire(object" + std::to_string(c.number) + ')');
    case Op::parallel:
      line(c, "parallel num_threads(" + std::to_string(c.number) + ')');
      return braces(c);
    case Op::phase:
      return phase(c);
    case Op::loop:
      line(c, std::string("for ordered schedule(") +
                  (c.dynamic   ? "dynamic"
                   : c.divided ? "static, 1, divided"
                               : "static, 1") +
                  ')' + (c.nowait ? " nowait" : ""));
      return members(c, "iteration ");
    case Op::single:
      line(c, std::string("single") + (c.nowait ? " nowait" : ""));
      return braces(c);
    case Op::ordered:
      line(c, "ordered");
      return braces(c);
    case Op::source:
      return line(c, "ordered depend(source)");
    case Op::sink:
      return line(c, "ordered depend(sink: i-" + std::to_string(c.number) + ')');
    }
  }

private:
  void line(const Construct& c, const std::string& text) { out_ << indent_ << text << "  // " << c.id << '\n'; }
  void body(const Construct& c) {
    for (const Construct& inner : c.body) print(inner);
  }
  void braces(const Construct& c) {
    out_ << indent_ << "{\n";
    indent_ += "  ";
    body(c);
    indent_.resize(indent_.size() - 2);
    out_ << indent_ << "}\n";
  }
  void members(const Construct& c, const std::string& what) {
    for (std::size_t i = 0; i < c.body.size(); ++i) {
      if (c.body[i].body.empty()) continue;
      out_ << indent_ << what << i << ":\n";
      braces(c.body[i]);
    }
  }
  void phase(const Construct& c) {
    members(c, "thread ");
    if (!c.nowait) line(c, c.barrier == SyncKind::barrier_explicit ? "barrier" : "barrier (implicit)");
  }
  static std::string depend_text(const Construct& c) {
    std::string text;
    for (const Dependence& item : c.depend)
      text += item.all_memory ? " depend(out: omp_all_memory)"
                              : " depend(" + to_text(item.type) + ": d" + std::to_string(item.address) + ')';
    return text;
  }
  static std::string task_text(const Construct& c) {
    std::string text = "task";
    if (c.traits.undeferred) text += " if(0)";
    if (c.traits.final) text += " final(1)";
    if (c.traits.untied) text += " untied";
    if (c.event != 0) text += " detach(event" + std::to_string(c.event) + ')';
    return text + depend_text(c);
  }

  std::ostream& out_;
  std::string indent_;
};

} // namespace

void number_constructs(Program& program) {
  std::uint32_t next = 1;
  number_from(program.root, next);
}

std::size_t size(const Construct& construct) {
  std::size_t total = 1;
  for (const Construct& inner : construct.body) total += size(inner);
  return total;
}

std::string to_text(access::Kind kind) {
  switch (kind) {
  case access::Kind::read:
    return "read";
  case access::Kind::write:
    return "write";
  case access::Kind::atomic_read:
    return "atomic read";
  case access::Kind::atomic_write:
    return "atomic write";
  }
  return "?";
}

std::string to_text(DependenceType type) {
  switch (type) {
  case DependenceType::in:
    return "in";
  case DependenceType::out:
    return "out";
  case DependenceType::inout:
    return "inout";
  case DependenceType::mutexinoutset:
    return "mutexinoutset";
  case DependenceType::inoutset:
    return "inoutset";
  }
  return "?";
}

void print(std::ostream& out, const Program& program) { Printer(out).print(program.root); }

} // namespace fletcher::property
