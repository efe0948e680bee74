// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/symbols/construct_lines.hpp"

#include "reports/source/directives.hpp"
#include "reports/symbols/mapped_file.hpp"

#include <elf.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace fletcher::reports {
namespace {

/// The executable code of an ELF file.
class Code {
public:
  explicit Code(const std::string& path) : file_(path) {
    const auto headers = records<Elf64_Ehdr>(file_.part(0, sizeof(Elf64_Ehdr)));
    if (headers.empty() || std::memcmp(headers[0].e_ident, ELFMAG, SELFMAG) != 0 || headers[0].e_machine != EM_X86_64 ||
        headers[0].e_phentsize != sizeof(Elf64_Phdr))
      return;
    segments_ = records<Elf64_Phdr>(file_.part(headers[0].e_phoff, headers[0].e_phnum * sizeof(Elf64_Phdr)));
    std::erase_if(segments_, [](const Elf64_Phdr& s) { return s.p_type != PT_LOAD || (s.p_flags & PF_X) == 0; });
  }
  bool contains(Address address) const { return segment_of(address) != nullptr; }
  /// So many bytes before the address; fewer where the code begins within them.
  std::string_view before(Address address, Address bytes) const {
    const Elf64_Phdr* const segment = segment_of(address - 1);
    if (segment == nullptr) return {};
    const Address first = address - std::min(bytes, address - segment->p_vaddr);
    return file_.part(segment->p_offset + (first - segment->p_vaddr), address - first);
  }

private:
  const Elf64_Phdr* segment_of(Address address) const {
    const auto found = std::find_if(segments_.begin(), segments_.end(),
                                    [address](const Elf64_Phdr& s) { return address - s.p_vaddr < s.p_filesz; });
    return found == segments_.end() ? nullptr : &*found;
  }

  MappedFile file_;
  std::vector<Elf64_Phdr> segments_;
};

/// The address that the bytes at `at` are relative to `end` in.
Address relative(std::string_view code, std::size_t at, Address end) {
  std::int32_t displacement = 0;
  std::memcpy(&displacement, code.data() + at, sizeof displacement);
  return end + static_cast<Address>(std::int64_t{displacement});
}

/// The function whose address the code before a call's return address makes its first argument: lea f(%rip), %rdi, or
/// by way of %rax, or mov $f, %edi, and no call since.
std::optional<Address> function_argument(const Code& code, Address return_address) {
  constexpr Address reach = 80; // with a task's other arguments some fifteen instructions
  constexpr std::string_view to_rdi = "\x48\x8d\x3d", to_rax = "\x48\x8d\x05", rax_to_rdi = "\x48\x89\xc7";
  constexpr char call = '\xe8', to_edi = '\xbf';
  const std::string_view bytes = code.before(return_address, reach);
  const Address first = return_address - bytes.size();
  const auto is_call = [&](std::size_t at) { // to this file's code
    return bytes[at] == call && at + 5 <= bytes.size() && code.contains(relative(bytes, at + 1, first + at + 5));
  };
  if (bytes.size() < 6) return std::nullopt;
  const bool through_table = bytes.substr(bytes.size() - 6, 2) == "\xff\x15";
  if (!through_table && !is_call(bytes.size() - 5)) return std::nullopt;
  for (std::size_t at = bytes.size() - 5; at-- > 0;) {
    if (is_call(at)) return std::nullopt;
    const std::string_view rest = bytes.substr(at);
    std::optional<Address> function;
    if (rest.starts_with(to_rdi) || (rest.starts_with(to_rax) && rest.substr(7).starts_with(rax_to_rdi)))
      function = relative(bytes, at + 3, first + at + 7);
    else if (rest.front() == to_edi)
      function = relative(bytes, at + 1, 0);
    if (function && code.contains(*function)) return function;
  }
  return std::nullopt;
}

} // namespace

ConstructLines::ConstructLines(std::vector<Query>& queries) {
  std::map<std::string, Code> files;
  const std::size_t asked = queries.size();
  for (std::size_t i = 0; i < asked; ++i) {
    if (queries[i].kind != Query::Kind::code) continue;
    const Code& code = files.try_emplace(queries[i].file, queries[i].file).first->second;
    const auto function = function_argument(code, queries[i].offset + 1);
    if (!function) continue;
    queries.push_back({Query::Kind::code, std::string(queries[i].file), *function});
    calls_.push_back(i);
  }
}

void ConstructLines::apply(std::vector<Answer>& answers) const {
  const std::size_t asked = answers.size() - calls_.size();
  SourceText sources("");
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    std::vector<CodeAnswer>& call = answers[calls_[i]].code;
    const std::vector<CodeAnswer>& function = answers[asked + i].code;
    if (call.empty() || function.empty() || function.back().line == 0) continue;
    if (function.back().function.find("._omp_fn.") == std::string::npos) continue;
    const CodeAnswer& body = function.front();
    const auto line = line_of_construct_around({body.file, body.line, body.column}, sources);
    if (!line) continue;
    call.front().file = body.file;
    call.front().line = *line;
    call.front().column = *line == body.line ? body.column : 0;
  }
  answers.resize(asked);
}

} // namespace fletcher::reports
