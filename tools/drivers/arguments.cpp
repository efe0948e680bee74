// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a command line of clang, gcc or gfortran. Relies on two rules that all of them share: an option begins with
// '-', and a file is compiled when its suffix or the last -x says that it is source.

#include "tools/drivers/arguments.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

namespace fletcher::drivers {

namespace {

/// Options whose value is the next argument, which is thus no input.
constexpr std::array takes_value{"-o",
                                 "-I",
                                 "-D",
                                 "-U",
                                 "-L",
                                 "-l",
                                 "-B",
                                 "-J",
                                 "-T",
                                 "-u",
                                 "-z",
                                 "-e",
                                 "-A",
                                 "-G",
                                 "-x",
                                 "-include",
                                 "-imacros",
                                 "-isystem",
                                 "-iquote",
                                 "-idirafter",
                                 "-iprefix",
                                 "-isysroot",
                                 "-MF",
                                 "-MT",
                                 "-MQ",
                                 "-MJ",
                                 "-Xlinker",
                                 "-Xclang",
                                 "-Xassembler",
                                 "-mllvm",
                                 "-target",
                                 "-arch",
                                 "-aux-info",
                                 "--param",
                                 "-dumpbase",
                                 "-dumpdir",
                                 "-wrapper",
                                 "--sysroot",
                                 "--config",
                                 "-iwithprefix",
                                 "-specs",
                                 "-include-pch",
                                 "-Xopenmp-target",
                                 "-Xpreprocessor",
                                 "-dumpbase-ext",
                                 "-iwithprefixbefore",
                                 "-serialize-diagnostics",
                                 "-rpath",
                                 "-iframework",
                                 "-framework",
                                 "--serialize-diagnostics",
                                 "-cxx-isystem"};

/// Options with which the compiler stops before it links.
constexpr std::array stops{"-c",        "-S",        "-E",           "-M",        "-MM",        "-fsyntax-only",
                           "--analyze", "-emit-ast", "--precompile", "--compile", "--assemble", "--preprocess"};

/// Of other languages than Fortran.
constexpr std::array source_suffixes{".c",  ".i",  ".cc", ".cp",  ".cxx",  ".cpp", ".CPP", ".c++", ".C",  ".ii", ".m",
                                     ".mi", ".mm", ".M",  ".mii", ".cppm", ".s",   ".S",   ".sx",  ".ll", ".bc"};
constexpr std::array fortran_suffixes{".f",   ".for", ".ftn", ".F",   ".FOR", ".fpp", ".FPP", ".FTN",
                                      ".f90", ".f95", ".f03", ".f08", ".F90", ".F95", ".F03", ".F08"};
constexpr std::array header_suffixes{".h", ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc"};

template <std::size_t N> bool contains(const std::array<const char*, N>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string_view suffix(std::string_view file) {
  const auto slash = file.rfind('/');
  const auto dot = file.rfind('.');
  return dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash) ? std::string_view()
                                                                                           : file.substr(dot);
}

/// The GNU rules: white space separates, quotes of both kinds keep it, a backslash takes the next character as it is.
Arguments split_response(std::string_view text) {
  Arguments items;
  std::string item;
  bool in_item = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
    if (c == '\\' && i + 1 < text.size()) {
      item += text[++i];
      in_item = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        item += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_item = true;
    } else if (!space) {
      item += c;
      in_item = true;
    } else if (in_item) {
      items.push_back(std::move(item));
      item.clear();
      in_item = false;
    }
  }
  if (in_item) items.push_back(std::move(item));
  return items;
}

/// `depth` ends files that include themselves, as the compilers do.
void expand_into(const Arguments& arguments, Arguments& result, int depth) {
  constexpr int deepest = 100;
  for (const std::string& argument : arguments) {
    std::ifstream file;
    if (argument.size() > 1 && argument.front() == '@' && depth < deepest) file.open(argument.substr(1));
    if (!file.is_open() || (file.peek(), file.bad())) { // a folder can be opened, too
      result.push_back(argument);
      continue;
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    expand_into(split_response(text), result, depth + 1);
  }
}

/// The inputs seen so far and the language that -x gave to the next ones.
struct Inputs {
  bool any = false;
  bool source = false;
  bool header = false;
  bool fortran = false;
  std::string language;

  void add(std::string_view file) {
    any = true;
    const bool given = !language.empty() && language != "none";
    if (given ? language.ends_with("header") : contains(header_suffixes, suffix(file))) header = true;
    if (given ? language.starts_with("f") : contains(fortran_suffixes, suffix(file))) fortran = source = true;
    if (given || contains(source_suffixes, suffix(file)) || contains(header_suffixes, suffix(file)) || file == "-")
      source = true;
  }
};

} // namespace

Arguments expand_response_files(const Arguments& arguments) {
  Arguments result;
  expand_into(arguments, result, 0);
  return result;
}

Request understand(const Arguments& arguments) {
  const Arguments all = expand_response_files(arguments);
  Request request;
  Inputs inputs;
  bool stopped = false;
  bool relocatable = false;
  bool library = false;
  bool only_inputs = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string_view argument = all[i];
    if (only_inputs || argument == "-" || !argument.starts_with('-')) {
      inputs.add(argument);
      continue;
    }
    const bool has_value = contains(takes_value, argument) && i + 1 < all.size();
    if (argument == "--")
      only_inputs = true;
    else if (argument == "-x" && has_value)
      inputs.language = all[i + 1];
    else if (argument.starts_with("-x"))
      inputs.language = argument.substr(2);
    else if (argument.starts_with("-l")) {
      const std::string_view name = argument == "-l" && has_value ? std::string_view(all[i + 1]) : argument.substr(2);
      library = true;
      if (name == "gomp" || name == "omp") request.names_libomp = true;
    } else if (contains(stops, argument))
      stopped = true;
    else if (argument == "-r")
      relocatable = true;
    else if (argument == "-static" || argument == "--static" || argument == "-static-pie")
      request.is_static = true;
    else if (argument == "-m32" || argument == "-mx32")
      request.other_width = true;
    else if (argument == "-m64")
      request.other_width = false;
    else if (argument == "-fopenmp" || argument.starts_with("-fopenmp="))
      request.openmp = true;
    else if (argument == "-fno-openmp")
      request.openmp = false;
    else if (argument == "-flto" || argument.starts_with("-flto="))
      request.link_time = true;
    else if (argument == "-fno-lto")
      request.link_time = false;
    if (has_value) ++i;
  }
  request.compiles = inputs.source;
  request.fortran = inputs.fortran;
  request.links = !stopped && !relocatable && !inputs.header && (inputs.any || library);
  return request;
}

} // namespace fletcher::drivers
