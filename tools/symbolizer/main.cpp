// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines of code and the names of data, as llvm-symbolizer gives them: the same questions on standard input, the
// same answers, by the same library of LLVM's, of which only what that takes is linked in. llvm-symbolizer itself loads
// all of LLVM, which is 57 MB of memory in place of 10, for each run of a checked program that finds something. A
// question is a line
//     CODE|DATA|FRAME "FILE" OFFSET
// and --output-style=LLVM or JSON the form of the answers. ThreadSanitizer asks it, too, at level tsan: one question
// after the other's answer, which has to leave at once. It knows a program of this name only.
#include <llvm/DebugInfo/Symbolize/DIPrinter.h>
#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <llvm/Object/BuildID.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace symbolize = llvm::symbolize;

struct Question {
  std::string kind, file;
  std::uint64_t offset = 0;
};

Question read_question(const std::string& line) {
  const std::size_t begin = line.find('"'), end = line.rfind('"');
  if (begin == end) return {};
  return {line.substr(0, line.find(' ')), line.substr(begin + 1, end - begin - 1),
          std::strtoull(line.c_str() + end + 1, nullptr, 16)};
}

/// What was not found has an answer, too.
template <class Answer>
void print(symbolize::DIPrinter& printer, const symbolize::Request& request, llvm::Expected<Answer> answer) {
  if (answer) return printer.print(request, *answer);
  bool print_empty = true;
  llvm::handleAllErrors(answer.takeError(),
                        [&](const llvm::ErrorInfoBase& error) { print_empty = printer.printError(request, error); });
  if (print_empty) printer.print(request, Answer());
}

void answer(symbolize::LLVMSymbolizer& symbolizer, symbolize::DIPrinter& printer, const Question& question) {
  const symbolize::Request request{question.file, question.offset, llvm::StringRef()};
  const llvm::object::SectionedAddress at{question.offset, llvm::object::SectionedAddress::UndefSection};
  if (question.kind == "DATA")
    print(printer, request, symbolizer.symbolizeData(question.file, at));
  else if (question.kind == "FRAME")
    print(printer, request, symbolizer.symbolizeFrame(question.file, at));
  else
    print(printer, request, symbolizer.symbolizeInlinedCode(question.file, at));
}

} // namespace

int main(int argc, char** argv) {
  symbolize::LLVMSymbolizer symbolizer;
  symbolizer.setBuildIDFetcher(
      std::make_unique<llvm::object::BuildIDFetcher>(std::vector<std::string>{})); // /usr/lib/debug
  symbolize::PrinterConfig form{};
  form.PrintAddress = false;
  form.PrintFunctions = true;
  // The answer says it. Standard error is the checked program's.
  const auto complain = [](const llvm::ErrorInfoBase&, llvm::StringRef) {};
  std::unique_ptr<symbolize::DIPrinter> printer;
  if (std::any_of(argv, argv + argc, [](std::string_view option) { return option == "--output-style=JSON"; }))
    printer = std::make_unique<symbolize::JSONPrinter>(llvm::outs(), form);
  else
    printer = std::make_unique<symbolize::LLVMPrinter>(llvm::outs(), complain, form);
  for (std::string line; std::getline(std::cin, line);) {
    answer(symbolizer, *printer, read_question(line));
    llvm::outs().flush();
  }
}
