// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs when Fletcher is built: from the files of tables/ to one C++ file with their contents.
//     generate OUTPUT.cpp TABLE...

#include "lib/effects/parse.hpp"

#include <fstream>
#include <iostream>
#include <iterator>

using namespace fletcher::effects;

namespace {

template <class Enum> int number(Enum value) { return static_cast<int>(value); }

std::ostream& operator<<(std::ostream& out, Expression one) {
  return out << "{" << one.first << "," << one.count << "}";
}

void write(std::ostream& out, const Table& table) {
  out << "// Generated from lib/effects/tables.\n#include \"lib/effects/table.hpp\"\nnamespace fletcher::effects {\n"
         "namespace {\nconstexpr Function functions[]{\n";
  for (const Function& one : table.functions)
    out << "{\"" << one.name << "\"," << int{one.type} << ",Role{" << number(one.role) << "}," << one.ordered << ","
        << int{one.conventions} << "," << one.first_parameter << "," << one.parameters << "," << one.first_effect << ","
        << one.effects << "},\n";
  out << "};\nconstexpr Parameter parameters[]{\n";
  for (const Parameter& one : table.parameters)
    out << "{\"" << one.name << "\",Kind{" << number(one.kind) << "},Presence{" << number(one.presence) << "}},\n";
  out << "};\nconstexpr Effect effects[]{\n";
  for (const Effect& one : table.effects)
    out << "{Use{" << number(one.use) << "},Shape{" << number(one.shape) << "}," << int{one.parameter} << ","
        << int{one.transposed} << "," << int{one.triangle} << "," << int{one.unit} << "," << int{one.pivots} << ","
        << one.rows << "," << one.columns << "," << one.step << "," << one.is_band << "," << one.below << ","
        << one.above << "," << one.through << "," << one.condition << "," << one.reading << "},\n";
  out << "};\nconstexpr Instruction instructions[]{\n";
  for (const Instruction& one : table.instructions)
    out << "{Operation{" << number(one.operation) << "}," << one.operand << "},\n";
  out << "};\n}\nconstinit const Table built_in{functions, parameters, effects, instructions};\n}\n";
}

} // namespace

int main(int count, char** arguments) {
  Tables tables;
  bool failed = count < 3;
  for (int i = 2; i < count; ++i) {
    std::ifstream file(arguments[i]);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    failed |= !file;
    for (const Mistake& mistake : tables.add(text)) {
      std::cerr << arguments[i] << ":" << mistake.line << ":" << mistake.column << ": error: " << mistake.message
                << "\n";
      failed = true;
    }
  }
  if (failed) return 1;
  std::ofstream out(arguments[1]);
  write(out, tables.table());
  return out.flush() ? 0 : 1;
}
