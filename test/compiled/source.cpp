// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C with OpenMP, a construct or an access a line. The accesses are kept from the optimiser, which would merge them.
#include "source.hpp"

#include "test/property/program.hpp"

#include <sstream>

namespace fletcher::compiled {
namespace {

class Printer {
public:
  std::string run(std::span<Program> programs) {
    line("#include <omp.h>");
    line("#include <stdlib.h>");
    line("#define KEEP __asm__ volatile(\"\" ::: \"memory\")");
    line("#define USE(value) __asm__ volatile(\"\" ::\"r\"(value) : \"memory\")");
    line("static omp_lock_t locks[" + std::to_string(lock_count) + "];");
    line("static char d[" + std::to_string(dependence_addresses) + "];");
    line("__attribute__((noinline)) static void touch(long* own) { *own += 1; }");
    for (std::size_t i = 0; i < programs.size(); ++i) program(i, programs[i]);
    line("int main(void) {");
    line("  for (int i = 0; i < " + std::to_string(lock_count) + "; i++) omp_init_lock(&locks[i]);");
    for (std::size_t i = 0; i < programs.size(); ++i) line("  program_" + std::to_string(i) + "();");
    line("  for (int i = 0; i < " + std::to_string(lock_count) + "; i++) omp_destroy_lock(&locks[i]);");
    line("  return 0;");
    line("}");
    return text_.str();
  }

private:
  /// Of a module, of the encountering function's frame, of the heap, by turns.
  std::string name(std::uint32_t variable) const {
    const std::string number = std::to_string(variable);
    if (variable % 3 == 0) return "p" + std::to_string(program_) + "_" + number;
    return variable % 3 == 1 ? "local_" + number : "*heap_" + number;
  }

  void program(std::size_t index, Program& program) {
    program_ = index;
    program.first_line = line_;
    for (std::uint32_t v = 0; v < program.variables; v += 3) line("long " + name(v) + ";");
    line("__attribute__((noinline)) static void program_" + std::to_string(index) + "(void) { // seed " +
         std::to_string(program.seed));
    indent_ = "  ";
    line("long own = 0;");
    for (std::uint32_t v = 1; v < program.variables; ++v)
      if (v % 3 != 0) line("long " + name(v) + (v % 3 == 1 ? " = 0;" : " = calloc(1, sizeof(long));"));
    line("touch(&own);");
    // A compiler may copy what it knows all accesses of, or leave out what nobody reads.
    for (std::uint32_t v = 1; v < program.variables; v += 3) line("touch(&" + name(v) + ");");
    body(program.before);
    construct(program.region);
    body(program.after);
    for (std::uint32_t v = 2; v < program.variables; v += 3) line("free(heap_" + std::to_string(v) + ");");
    indent_.clear();
    line("}");
    program.last_line = line_ - 1;
  }

  void construct(Construct& c) {
    switch (c.op) {
    case Op::access:
      c.line = line_;
      return line(access(c));
    case Op::locked:
      if (c.lock < named_criticals) {
        line("#pragma omp critical(name_" + std::to_string(c.lock) + ")");
        return braces(c);
      }
      line("omp_set_lock(&locks[" + std::to_string(c.lock) + "]);");
      body(c);
      return line("omp_unset_lock(&locks[" + std::to_string(c.lock) + "]);");
    case Op::task:
      line("#pragma omp task" + clauses(c));
      return braces(c);
    case Op::detached:
      return detached(c);
    case Op::taskwait:
      return line("#pragma omp taskwait");
    case Op::taskwait_depend:
      return line("#pragma omp taskwait" + depend(c));
    case Op::taskgroup:
      line("#pragma omp taskgroup");
      return braces(c);
    case Op::taskloop:
      line("#pragma omp taskloop grainsize(" + std::to_string(c.chunk) + ")" + (c.nowait ? " nogroup" : "") +
           clauses(c));
      return counted(c);
    case Op::taskyield:
      return line("#pragma omp taskyield");
    case Op::parallel:
      line("#pragma omp parallel" + (c.count != 0 ? " num_threads(" + std::to_string(c.count) + ")" : ""));
      return braces(c);
    case Op::barrier:
      return line("#pragma omp barrier");
    case Op::single:
      line(std::string("#pragma omp single") + nowait(c));
      return braces(c);
    case Op::masked:
      line("#pragma omp masked");
      return braces(c);
    case Op::sections:
      return sections(c);
    case Op::loop:
      line(std::string("#pragma omp for schedule(") + (c.dynamic ? "dynamic" : "static") + ", 1)" + nowait(c));
      return counted(c);
    case Op::block:
    case Op::everybody:
      return braces(c);
    }
  }

  std::string access(const Construct& c) const {
    const std::string v = name(c.variable), value = std::to_string(line_);
    switch (c.form) {
    case Form::read:
      return "USE(" + v + ");";
    case Form::write:
      return v + " = " + value + "; KEEP;";
    case Form::update:
      return v + " += " + value + "; KEEP;";
    case Form::atomic_read:
      return "{ long seen; _Pragma(\"omp atomic read\") seen = " + v + "; USE(seen); }";
    case Form::atomic_write:
      return "_Pragma(\"omp atomic write\") " + v + " = " + value + "; KEEP;";
    case Form::atomic_update:
      return "_Pragma(\"omp atomic update\") " + v + " += " + value + "; KEEP;";
    }
    return "";
  }

  static std::string nowait(const Construct& c) { return c.nowait ? " nowait" : ""; }
  static std::string depend(const Construct& c) {
    std::string text;
    for (const Dependence& item : c.depend)
      text += " depend(" + property::to_text(item.type) + ": d[" + std::to_string(item.address) + "])";
    return text;
  }
  static std::string clauses(const Construct& c) {
    std::string text;
    if (c.undeferred) text += " if(0)";
    if (c.final) text += " final(1)";
    if (c.untied) text += " untied";
    if (c.priority != 0) text += " priority(" + std::to_string(c.priority) + ")";
    if (c.own_copy) text += " firstprivate(own)";
    return text + depend(c);
  }

  void detached(Construct& c) {
    line("{");
    line("omp_event_handle_t event;");
    line("#pragma omp task detach(event)" + depend(c));
    braces(c.body[0]);
    line("#pragma omp task firstprivate(event)");
    line("{");
    body(c.body[1]);
    line("omp_fulfill_event(event);");
    body(c.body[2]);
    line("}");
    line("}");
  }
  void sections(Construct& c) {
    line(std::string("#pragma omp sections") + nowait(c));
    line("{");
    for (Construct& section : c.body) {
      line("#pragma omp section");
      braces(section);
    }
    line("}");
  }
  void counted(Construct& c) {
    line("for (int i = 0; i < " + std::to_string(c.count) + "; i++)");
    braces(c);
  }
  void braces(Construct& c) {
    line("{");
    const std::string outer = indent_;
    indent_ += "  ";
    if (c.own_copy) line("touch(&own);");
    body(c);
    indent_ = outer;
    line("}");
  }
  void body(Construct& c) {
    for (Construct& inner : c.body) construct(inner);
  }
  void line(const std::string& text) {
    text_ << indent_ << text << '\n';
    ++line_;
  }

  std::ostringstream text_;
  std::string indent_;
  std::uint32_t line_ = 1;
  std::size_t program_ = 0;
};

} // namespace

std::string print(std::span<Program> programs) { return Printer().run(programs); }

std::string excerpt(const std::string& source, const Program& program) {
  std::istringstream lines(source);
  std::ostringstream text;
  std::uint32_t number = 1;
  for (std::string line; std::getline(lines, line); ++number)
    if (number >= program.first_line && number <= program.last_line) text << number << ": " << line << '\n';
  return text.str();
}

} // namespace fletcher::compiled
