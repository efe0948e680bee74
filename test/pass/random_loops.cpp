// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/pass/random_loops.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <sstream>
#include <vector>

namespace fletcher::test {

namespace {

/// One loop: its variable takes `count` values from `first` on.
struct Loop {
  std::string type;
  long first, count, step;
  bool triangular;        ///< runs up to the variable of the loop around it
  std::vector<long> rows; ///< not empty: runs from rows[v] up to rows[v + 1], v the variable of the loop around it
  bool falls = false;     ///< the rows do: runs from rows[v + 1] up to rows[v]
  std::string rows_name;
  std::string limit;         ///< as the source has it
  std::optional<long> leave; ///< leaves where the variable has this value
  bool leave_first;          ///< before the statements
  bool endless = false;      ///< the source has the limit as a condition to leave
};

enum class Kind { read, write, update };

/// A variable that goes on in some iterations of the innermost loop, before the statements or after them.
struct Walker {
  std::string type;
  long start, step;
  long modulus; ///< not 0: only where the innermost variable is not a multiple of it
  bool first;
  std::optional<long> leave; ///< leaves the innermost loop where the walker has come to this
};

/// An access to elements of the nest's array at offset + sum of coefficient * variable, `width` neighbours of them.
struct Statement {
  Kind kind;
  std::vector<long> coefficients;
  long of_walker;
  long offset;
  long width;
  long modulus; ///< not 0: only where the innermost variable is not a multiple of it
  int line;
};

class Writer {
public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}
  RandomLoops write();

private:
  long pick(long low, long high) { return std::uniform_int_distribution<long>(low, high)(random_); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  template <typename T> T one_of(std::vector<T> of) {
    return of[static_cast<std::size_t>(pick(0, std::ssize(of) - 1))];
  }
  void line(const std::string& text) {
    text_ << text << '\n';
    ++lines_;
  }
  /// A number as the source has it: itself, or a variable that the compiler does not know.
  std::string number(long value);

  void nest(int index);
  std::vector<long> rows(std::string& name, bool falls);
  Loop loop(std::size_t depth);
  Walker walker();
  Statement statement(std::size_t depth, bool reads_only);
  void run(const std::function<void(const Statement&, long)>& access);
  void print(int index, const std::string& type);
  void probe(int index, const std::string& type, std::size_t size);

  std::mt19937 random_;
  std::ostringstream text_, variables_, probes_;
  int lines_ = 0, unknowns_ = 0;
  int header_ = 0; ///< the line of the nest's function: that of accesses which the compiler made out of two lines
  std::vector<Loop> loops_;
  std::optional<Walker> walker_;
  std::vector<Statement> statements_;
  struct Probe {
    std::string text;
    std::set<int> lines; ///< of the loops that it races with
  };
  std::vector<Probe> all_probes_;
};

std::string Writer::number(long value) {
  if (chance(40)) return std::to_string(value);
  const std::string name = "n" + std::to_string(unknowns_++);
  variables_ << "long " << name << " = " << value << "; ";
  return "(int)" + name;
}

/// Where rows begin that lie end to end; some are empty, and now and then the next one is elsewhere.
std::vector<long> Writer::rows(std::string& name, bool falls) {
  constexpr int most = 256; // more than variables of loops become
  std::vector<long> begins{falls ? pick(20, 60) : pick(0, 3)};
  name = "rows" + std::to_string(unknowns_++);
  variables_ << "int " << name << "[] = {" << begins.back();
  while (begins.size() < most) {
    const long length = std::max(0L, pick(-1, 3));
    begins.push_back(chance(4) ? pick(0, 30) : falls ? std::max(0L, begins.back() - length) : begins.back() + length);
    variables_ << ", " << begins.back();
  }
  variables_ << "}; ";
  return begins;
}

Loop Writer::loop(std::size_t depth) {
  Loop loop{
      one_of<std::string>({"int", "long", "unsigned", "short"}), pick(0, 3), 0, 1, false, {}, false, {}, {}, {}, false};
  loop.count = chance(12) ? 0 : chance(50) ? pick(1, 9) : pick(20, 70);
  if (depth > 0) loop.count = std::min(loop.count, pick(1, 12));
  loop.step = one_of<long>({1, 1, 1, 2, 3, -1, -1, -2});
  loop.triangular = depth > 0 && chance(15);
  loop.falls = chance(50);
  if (depth > 0 && chance(20)) loop.rows = rows(loop.rows_name, loop.falls);
  if (!loop.rows.empty()) loop.triangular = false;
  if (loop.triangular || !loop.rows.empty()) loop.step = 1;
  if (loop.step < 0) {
    loop.type = one_of<std::string>({"int", "long"});
    loop.first += -loop.step * loop.count;
  }
  if (!loop.triangular && loop.rows.empty()) loop.limit = number(loop.first + loop.step * loop.count);
  if (chance(15)) loop.leave = loop.first + loop.step * pick(0, 8);
  loop.leave_first = chance(50);
  loop.endless = chance(20);
  return loop;
}

Walker Writer::walker() {
  Walker result{one_of<std::string>({"int", "long", "unsigned", "short"}), pick(0, 5), 1, 0, chance(30), {}};
  if (result.type != "unsigned") result.step = one_of<long>({1, 1, -1, 2});
  if (chance(70)) result.modulus = pick(2, 4);
  if (chance(60)) result.leave = result.start + result.step * pick(1, 12);
  return result;
}

Statement Writer::statement(std::size_t depth, bool reads_only) {
  Statement result{reads_only ? Kind::read : one_of<Kind>({Kind::read, Kind::write, Kind::update}), {}, 0, 0, 1, 0, 0};
  for (std::size_t i = 0; i < depth; ++i) result.coefficients.push_back(one_of<long>({0, 1, 1, 1, -1, 2, 4, 10, 17}));
  if (chance(80)) result.coefficients.back() = one_of<long>({1, 1, 1, -1, 2, 3});
  if (result.kind == Kind::read && chance(40)) result.width = pick(2, 4);
  if (chance(20)) result.modulus = pick(2, 4);
  if (walker_ && chance(60)) {
    std::ranges::fill(result.coefficients, 0);
    result.of_walker = one_of<long>({1, 1, 1, 2, 3});
    if (walker_->type != "unsigned" && chance(15)) result.of_walker = -1;
    if (chance(50)) result.modulus = walker_->modulus;
  }
  result.offset = pick(0, 3);
  return result;
}

void Writer::run(const std::function<void(const Statement&, long)>& access) {
  std::vector<long> values;
  long walked = walker_ ? walker_->start : 0;
  const auto walk = [&](bool before) {
    if (walker_ && walker_->first == before && (walker_->modulus == 0 || values.back() % walker_->modulus != 0))
      walked += walker_->step;
  };
  const auto body = [&] { // true where the walker leaves
    walk(true);
    for (const Statement& each : statements_) {
      if (each.modulus != 0 && values.back() % each.modulus == 0) continue;
      long element = each.offset;
      for (std::size_t i = 0; i < values.size(); ++i) element += each.coefficients[i] * values[i];
      element += each.of_walker * walked;
      for (long next = 0; next < each.width; ++next) access(each, element + next);
    }
    walk(false);
    return walker_ && walker_->leave == walked;
  };
  const std::function<void(std::size_t)> enter = [&](std::size_t depth) {
    const Loop& loop = loops_[depth];
    const auto row = loop.rows.begin() + (loop.rows.empty() ? 0 : values.back());
    const long first = loop.rows.empty() ? loop.first : row[loop.falls];
    const long count = !loop.rows.empty() ? row[!loop.falls] - first
                       : loop.triangular  ? values.back() - first
                                          : loop.count;
    for (long i = 0; i < count; ++i) {
      const long value = first + i * loop.step;
      if (loop.leave == value && loop.leave_first) break;
      values.push_back(value);
      bool leaves = false;
      if (depth + 1 == loops_.size())
        leaves = body();
      else
        enter(depth + 1);
      values.pop_back();
      if (leaves || loop.leave == value) break;
    }
  };
  enter(0);
}

void Writer::print(int index, const std::string& type) {
  header_ = lines_ + 1;
  line("__attribute__((noinline)) static void nest" + std::to_string(index) + "(" + type + "* a, double* x) {");
  line("double sum = 0;");
  if (walker_) line(walker_->type + " w = " + number(walker_->start) + ";");
  const char* const names = "ijk";
  for (std::size_t depth = 0; depth < loops_.size(); ++depth) {
    const Loop& loop = loops_[depth];
    const std::string variable(1, names[depth]);
    const auto row = [&](const char* which) { return loop.rows_name + "[" + names[depth - 1] + which + "]"; };
    const std::string limit = !loop.rows.empty() ? row(loop.falls ? "" : " + 1")
                              : loop.triangular  ? std::string(1, names[depth - 1])
                                                 : loop.limit;
    const std::string first = loop.rows.empty() ? std::to_string(loop.first) : row(loop.falls ? " + 1" : "");
    const std::string goes_on = variable + (loop.step > 0 ? " < " : " > ") + limit;
    line("for (" + loop.type + " " + variable + " = " + first + "; " + (loop.endless ? "" : goes_on) + "; " + variable +
         " += " + std::to_string(loop.step) + ") {");
    if (loop.endless) line("if (!(" + goes_on + ")) break;");
    if (loop.leave && loop.leave_first) line("if (" + variable + " == " + std::to_string(*loop.leave) + ") break;");
  }
  const std::string innermost(1, names[loops_.size() - 1]);
  const auto walk = [&](bool before) {
    if (!walker_ || walker_->first != before) return;
    const std::string condition =
        walker_->modulus == 0 ? "" : "if (" + innermost + " % " + std::to_string(walker_->modulus) + " != 0) ";
    line(condition + "w += " + std::to_string(walker_->step) + ";");
  };
  walk(true);
  for (Statement& each : statements_) {
    // An unsigned product must not become a large number.
    const bool negative = std::ranges::any_of(each.coefficients, [](long coefficient) { return coefficient < 0; });
    std::string element = negative ? "0L + " : "";
    for (std::size_t i = 0; i < loops_.size(); ++i)
      if (each.coefficients[i] != 0)
        element += number(each.coefficients[i]) + (negative ? " * (long)" : " * ") + names[i] + " + ";
    if (each.of_walker != 0) element += number(each.of_walker) + " * w + ";
    element += std::to_string(each.offset);
    const auto at = [&](long next) { return "a[" + element + " + " + std::to_string(next) + "]"; };
    std::string code = each.kind == Kind::write ? at(0) + " = 1;" : each.kind == Kind::update ? at(0) + " += 1;" : "";
    if (each.kind == Kind::read) {
      code = "sum += " + at(0);
      for (long next = 1; next < each.width; ++next) code += " + " + at(next);
      code += ";";
    }
    if (each.modulus != 0) code = "if (" + innermost + " % " + std::to_string(each.modulus) + " != 0) " + code;
    line(code);
    each.line = lines_;
  }
  walk(false);
  if (walker_ && walker_->leave) line("if (w == " + std::to_string(*walker_->leave) + ") break;");
  if (chance(15)) line(one_of<std::string>({"tick();", "sum = sqrt(sum);", "__atomic_fetch_add(&ticks, 1, 0);"}));
  for (std::size_t depth = loops_.size(); depth-- > 0;) {
    const Loop& loop = loops_[depth];
    if (loop.leave && !loop.leave_first)
      line("if (" + std::string(1, names[depth]) + " == " + std::to_string(*loop.leave) + ") break;");
    line("}");
  }
  line("*x += sum;");
  line("}");
}

void Writer::probe(int index, const std::string& type, std::size_t size) {
  std::map<long, std::vector<const Statement*>> accessed;
  run([&](const Statement& by, long element) { accessed[element].push_back(&by); });
  const long low = accessed.empty() ? 0 : accessed.begin()->first,
             high = accessed.empty() ? 4 : accessed.rbegin()->first;
  constexpr long margin = 8; // elements on both sides
  variables_ << type << " array" << index << "[" << high - low + 1 + 2 * margin << "]; ";
  const auto name = "array" + std::to_string(index);
  probes_ << "nest" << index << "(" << name << " + " << margin - low << ", &x" << index << ");\n";
  // No two in the same 8 bytes: what the checker remembers of those is limited. None next to each other: the compiler
  // would make one vector of them, with one line.
  std::set<long> taken;
  std::vector<long> candidates{low, high, low - 1, high + 1};
  for (int i = 0; i < 6; ++i) candidates.push_back(pick(low - 2, high + 2));
  for (const auto& [element, by] : accessed)
    if (!accessed.contains(element + 1) && candidates.size() < 24)
      candidates.insert(candidates.end(), {element + 1, element});
  std::ranges::shuffle(candidates, random_);
  for (const long element : candidates) {
    const long position = element - low + margin;
    const long granule = position * static_cast<long>(size) / 8;
    if (position < 0 || position > high - low + 2 * margin || taken.contains(granule - 1) || taken.contains(granule) ||
        taken.contains(granule + 1))
      continue;
    taken.insert(granule);
    const bool writes = chance(60);
    Probe probe{(writes ? name + "[" + std::to_string(position) + "] = 2;"
                        : "own += " + name + "[" + std::to_string(position) + "];"),
                {}};
    if (const auto found = accessed.find(element); found != accessed.end())
      for (const Statement* by : found->second)
        if (writes || by->kind != Kind::read) probe.lines.insert({by->line, header_});
    all_probes_.push_back(probe);
  }
}

void Writer::nest(int index) {
  const auto [type, size] = one_of<std::pair<std::string, std::size_t>>(
      {{"double", 8}, {"int", 4}, {"float", 4}, {"char", 1}, {"short", 2}, {"long", 8}, {"long double", 16}});
  loops_.clear();
  statements_.clear();
  const auto depth = static_cast<std::size_t>(pick(1, 3));
  for (std::size_t i = 0; i < depth; ++i) loops_.push_back(loop(i));
  walker_.reset();
  if (chance(40)) walker_ = walker();
  const bool reads_only = chance(20);
  for (long i = pick(1, 2); i > 0; --i) statements_.push_back(statement(depth, reads_only));
  print(index, type);
  probe(index, type, size);
}

RandomLoops Writer::write() {
  RandomLoops result;
  constexpr int nests = 6;
  line("#include <math.h>");
  line("#include \"variables.h\"");
  for (int i = 0; i < nests; ++i) {
    variables_ << "double x" << i << "; ";
    nest(i);
  }
  line("static void loops(void) {");
  std::istringstream calls(probes_.str());
  for (std::string call; std::getline(calls, call);) line(call);
  line("}");
  line("static void single(void) {");
  line("double own = 0;");
  for (const Probe& probe : all_probes_) {
    line(probe.text);
    if (!probe.lines.empty()) result.races[lines_] = probe.lines;
  }
  line("result = own;");
  line("}");
  const bool loops_first = chance(50);
  line("int main(void) {");
  line("_Pragma(\"omp parallel\") _Pragma(\"omp single\") {");
  for (const bool loops : {loops_first, !loops_first})
    line(std::string("_Pragma(\"omp task\")") + (loops ? "loops();" : "single();"));
  line("}");
  line("return 0; }");
  result.source = text_.str();
  const std::string variables = "int ticks; void tick(void) { ticks++; } double result; " + variables_.str();
  const auto at = result.source.find("#include \"variables.h\"");
  result.source.replace(at, std::string("#include \"variables.h\"").size(), variables);
  return result;
}

} // namespace

RandomLoops random_loops(std::uint32_t seed) { return Writer(seed).write(); }

} // namespace fletcher::test
