// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/readers.hpp"

#include "lib/annotate/reports/sanitizer_options.hpp"
#include "lib/annotate/reports/text.hpp"
#include "lib/tool/options.hpp"
#include "reports/document/document.hpp"
#include "reports/filters/ignore_list.hpp"
#include "reports/filters/suppressions.hpp"
#include "reports/source/source_text.hpp"
#include "reports/symbols/elf_image.hpp"
#include "reports/symbols/symbolizer.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>

namespace fletcher::test {
namespace {

using namespace reports;

/// What a person gets to read is one line.
void expect_line(const std::string& error) {
  if (error.empty() || error.find('\n') != std::string::npos) std::abort();
}

void options(std::string_view input) {
  tool::Options options;
  for (const std::string& complaint : tool::parse_options(input, options)) expect_line(complaint);
}

/// Whatever is no report is passed on: the pieces are the whole text.
void printed_reports(std::string_view input) {
  std::string all;
  for (const annotate::PrintedPiece& piece : annotate::read_reports(input, true)) all += piece.text;
  std::string part;
  for (const annotate::PrintedPiece& piece : annotate::read_reports(input, false)) part += piece.text;
  if (all != input || !input.starts_with(part)) std::abort();
}

void sanitizer_options(std::string_view input) { (void)annotate::option_in(input, "exitcode"); }

void document(std::string_view input) {
  const auto read = from_json(input);
  if (!read) return expect_line(read.error());
  const std::string written = to_json(*read);
  const auto again = from_json(written);
  if (!again || to_json(*again) != written) std::abort();
}

void suppressions(std::string_view input) {
  const auto read = Suppressions::parse(input, "file");
  if (!read) return expect_line(read.error());
  Diagnostic diagnostic;
  diagnostic.variable = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab";
  (void)read->matches(diagnostic, SourceText("/"));
}

void ignore_list(std::string_view input) {
  const auto read = IgnoreList::parse(input, "file");
  if (!read) return expect_line(read.error());
  Diagnostic diagnostic;
  diagnostic.stack.emplace_back();
  diagnostic.stack.front().compiler_name = "f(int)";
  diagnostic.stack.front().place.file = "/aaaaaaaaaaaaaaaaaaaaaaaab";
  (void)read->matches(diagnostic, SourceText("/"));
}

void baseline(std::string_view input) {
  if (const auto read = read_baseline(input, "file"); !read) expect_line(read.error());
}

void code_answers(std::string_view input) { (void)read_answers(Query::Kind::code, std::string(input)); }
void data_answers(std::string_view input) { (void)read_answers(Query::Kind::data, std::string(input)); }

void elf(std::string_view input) {
  const int file = memfd_create("image", 0);
  if (file < 0 || write(file, input.data(), input.size()) != static_cast<ssize_t>(input.size())) std::abort();
  const ElfImage image("/proc/self/fd/" + std::to_string(file));
  (void)image.function(0x1000);
  (void)image.object(0x4000);
  (void)image.maybe_clang();
  close(file);
}

std::string sample_document() {
  Finding finding;
  finding.rule = Rule::data_race;
  Run run;
  run.program = "/home/user/app";
  run.arguments = {"one", "two \"quoted\""};
  run.notes = {"a note"};
  return to_json(make_document(run, {{"/home/user/app", 0x1000, 0x1000, 0x9000, "0123abcd"}}, {finding}));
}

/// The head of this program: its tables lie beyond, so most of its offsets lead out of the file.
std::string head_of_this_program(std::size_t size) {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::string bytes(size, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  return bytes;
}

std::string small_library() {
  std::ifstream file(SMALL_LIBRARY, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

std::span<const Reader> readers() {
  static const std::vector<Reader> list{
      {"options",
       options,
       {"exitcode=3 sarif='a file.sarif' verbose=1", "on_deadlock=abort:max_findings=4294967296 level=\"graph\"",
        "tell_after=-1 color=always unknown=1 help"}},
      {"printed_reports",
       printed_reports,
       {"a line\n==================\n\033[1m\033[31mWARNING: ThreadSanitizer: heap-use-after-free "
        "(pid=1)\n\033[1m\033[0m  Atomic write of size 4 "
        "at "
        "0x12 by thread T1 (mutexes: write M0):\n    #0 f(int) /a b.c:3 (a+0x12) (BuildId: 12)\n\n  Previous read of "
        "size 4 "
        "at 0x12 by main thread:\n    [failed to restore the stack]\n\n  Location is heap block of size 8 at 0x10 "
        "allocated by main thread:\n    #0 malloc <null> (a+0x1)\n\n  Thread T1 'a name' (tid=3, running) created by "
        "main thread at:\n\nSUMMARY: ThreadSanitizer: \n==================\n"}},
      {"sanitizer_options", sanitizer_options, {"exitcode=3:log_path='a file',verbosity=1 exitcode=\"4\""}},
      {"document", document, {sample_document()}},
      {"suppressions",
       suppressions,
       {"# comment\nfun:main\n[data-race]\nsrc:*/lib/*.c\nvar:*a*a*a*a*a*a*a*a*a*a*c\n", "[*]\nvar:[a-\\]?\n"}},
      {"ignore_list",
       ignore_list,
       {"#!special-case-list-v2\n[{address,thread}]\nsrc:*/a[^b]?/*.c\nfun:_Z1fi\nfun:{f,g\\{}*{1,2}\n[memory]\n",
        "type:x=init\nfun:*a*a*a*a*a*c\n[*]\nglobal:y\n"}},
      {"baseline",
       baseline,
       {R"({"version": "2.1.0", "runs": [{"results": [{"partialFingerprints": {"fletcher/v1": "12ab"}}]}]})"}},
      {"code_answers",
       code_answers,
       {R"({"Address":"0x10","ModuleName":"a","Symbol":[{"Column":3,"FileName":"a.c","FunctionName":"f","Line":7,"StartLine":"0x5"}]})"
        "\n"
        R"({"Address":"0x10","Frame":[{"DeclFile":"a.c","DeclLine":2,"FrameOffset":-16,"Name":"x","Size":"0x4"}]})"
        "\n"}},
      {"data_answers", data_answers, {"table\n36864 40\na.c:12\n\n??\n0 0\n??:?\n\n"}},
      {"elf", elf, {small_library(), head_of_this_program(8192)}},
  };
  return list;
}

} // namespace fletcher::test
