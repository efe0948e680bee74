// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/symbols/stack_variables.hpp"

#include "reports/document/whole_numbers.hpp"
#include "reports/document/words.hpp"
#include "reports/symbols/subprocess.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <sstream>

namespace fletcher::reports {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::seconds patience{120};

std::optional<FrameVariable> read_answer(const std::string& line) {
  const Json json = Json::parse(line, whole_numbers<Json>, false);
  if (!json.is_object() || !json.contains("name")) return std::nullopt;
  FrameVariable variable;
  variable.name = json.value("name", "");
  variable.file = json.value("file", "");
  variable.line = json.value("line", 0u);
  variable.start = std::strtoull(json.value("start", "").c_str(), nullptr, 16);
  variable.size = json.value("size", std::uint64_t{0});
  variable.function = json.value("function", "");
  return variable;
}

} // namespace

Result<std::vector<std::optional<FrameVariable>>> ask_frames(const std::string& program,
                                                             const std::vector<FrameQuestion>& questions) {
  std::vector<std::optional<FrameVariable>> answers(questions.size());
  std::string input;
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto& [address, frame, moment, file, offset] = questions[i];
    const CallFrame& call = frame.call;
    if (file.empty() || file.find('\n') != std::string::npos) continue;
    input += moment == FrameQuestion::Moment::entry ? "entry " : "call ";
    for (const Address number : {offset, call.stack_pointer, call.frame_pointer, address})
      input += hexadecimal(number) + " ";
    const FrameDetails details = frame.details == nullptr ? FrameDetails{} : *frame.details;
    input += hexadecimal(details.end) + " ";
    const auto add = [&](const std::vector<Address>& numbers) {
      input += hexadecimal(numbers.size()) + " ";
      for (const Address number : numbers) input += hexadecimal(number) + " ";
    };
    add(details.registers);
    input += hexadecimal(details.memory_begin) + " ";
    add(details.memory);
    input += file + "\n";
    asked.push_back(i);
  }
  if (asked.empty()) return answers;
  const auto output = run_filter(program, {}, input, patience);
  if (!output) return Error{output.error()};
  std::istringstream lines(*output);
  std::string line;
  for (const std::size_t i : asked) {
    if (!std::getline(lines, line)) {
      answers.resize(i);
      break;
    }
    answers[i] = read_answer(line);
  }
  return answers;
}

} // namespace fletcher::reports
