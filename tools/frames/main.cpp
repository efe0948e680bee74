// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variable of a function is at an address of its frame, by DWARF: a filter that reports/ runs as it runs
// llvm-symbolizer, which does not know where a frame begins. A question is a line
//     RETURN-ADDRESS STACK-POINTER FRAME-POINTER ADDRESS FILE
// about a call that the function makes: numbers are hexadecimal, the first as FILE has it. The answer is a line of
// JSON, without members where it is not certain. Relies on LLVM's reader of debug information.
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

llvm::json::Object answer(llvm::DWARFContext* context, const Call& call, std::uint64_t address) {
  if (context == nullptr) return {};
  const auto variable = variable_at(*context, call, address);
  if (!variable) return {};
  return llvm::json::Object{{"name", variable->name},
                            {"file", variable->file},
                            {"line", static_cast<std::int64_t>(variable->line)},
                            {"start", "0x" + llvm::utohexstr(variable->start)},
                            {"size", static_cast<std::int64_t>(variable->size)}};
}

} // namespace

int main() {
  std::map<std::string, Image> images;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    Call call;
    std::uint64_t address = 0;
    std::string file;
    in >> std::hex >> call.return_address >> call.stack_pointer >> call.frame_pointer >> address >> std::ws;
    llvm::json::Object said;
    if (std::getline(in, file)) said = answer(images.try_emplace(file, file).first->second.context(), call, address);
    llvm::outs() << llvm::json::Value(std::move(said)) << '\n';
  }
}
