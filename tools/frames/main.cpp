// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variable of a function is at an address of its frame, by DWARF: a filter that reports/ runs as it runs
// llvm-symbolizer, which does not know where a frame begins. A question is a line
//     MOMENT RETURN-ADDRESS STACK-POINTER FRAME-POINTER ADDRESS END REGISTERS MEMORY-BEGIN MEMORY FILE
// about a call that the function makes: MOMENT is "call" if variables in scope there are asked for, "entry" if the call
// is the function's first and the function may be anywhere by now. Numbers are hexadecimal, the first as FILE has it;
// REGISTERS and MEMORY are the count of their numbers and these. END is 0, and no number follows in those, where only
// the call is known. The answer is a line of JSON, without members where it is not certain. Relies on LLVM's reader of
// debug information.
#include "tools/frames/frame.hpp"

#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

namespace {

using namespace fletcher::frames;

/// A file with its debug information; nothing where it cannot be read.
class Image {
public:
  explicit Image(const std::string& path) {
    auto file = llvm::object::ObjectFile::createObjectFile(path);
    if (!file) {
      llvm::consumeError(file.takeError());
      return;
    }
    file_ = std::move(*file);
    if (file_.getBinary()->getArch() != llvm::Triple::x86_64) return;
    context_ = llvm::DWARFContext::create(*file_.getBinary());
  }
  llvm::DWARFContext* context() const noexcept { return context_.get(); }

private:
  llvm::object::OwningBinary<llvm::object::ObjectFile> file_;
  std::unique_ptr<llvm::DWARFContext> context_;
};

/// Their number and themselves.
std::vector<std::uint64_t> read_numbers(std::istream& in) {
  std::vector<std::uint64_t> numbers;
  std::size_t count = 0;
  in >> count;
  for (std::uint64_t number = 0; count != 0 && in >> number; --count) numbers.push_back(number);
  return numbers;
}

llvm::json::Object answer(llvm::DWARFContext* context, const Call& call, std::uint64_t address) {
  if (context == nullptr) return {};
  const auto variable = variable_at(*context, call, address);
  if (!variable) return {};
  return llvm::json::Object{{"name", variable->name},
                            {"file", variable->file},
                            {"line", static_cast<std::int64_t>(variable->line)},
                            {"start", "0x" + llvm::utohexstr(variable->start)},
                            {"size", static_cast<std::int64_t>(variable->size)},
                            {"function", variable->function}};
}

} // namespace

int main() {
  std::map<std::string, Image> images;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    Call call;
    std::uint64_t address = 0;
    std::string moment, file;
    in >> moment >> std::hex >> call.return_address >> call.stack_pointer >> call.frame_pointer >> address;
    call.is_entry = moment == "entry";
    Details& details = call.details;
    in >> details.end;
    details.registers = read_numbers(in);
    in >> details.memory_begin;
    details.memory = read_numbers(in);
    in >> std::ws;
    llvm::json::Object said;
    if (std::getline(in, file)) said = answer(images.try_emplace(file, file).first->second.context(), call, address);
    llvm::outs() << llvm::json::Value(std::move(said)) << '\n';
  }
}
