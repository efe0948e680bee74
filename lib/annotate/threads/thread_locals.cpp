// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/threads/thread_locals.hpp"

#include "lib/interpose/binding/references.hpp"
#include "lib/tool/process/file_bytes.hpp"

#include <link.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

namespace fletcher::annotate {

namespace {

/// Those of ThreadSanitizer's runtime (14 to 22), which is in the program's file.
bool is_of_runtime(std::string_view name) noexcept {
  constexpr std::array begins{"_ZN6__tsan",           "_ZN11__sanitizer",      "_ZN7__ubsan",
                              "_ZN14__interception",  "_ZL10pglob_copy",       "_ZL14scandir_filter",
                              "_ZL14scandir_compar",  "_ZL16scandir64_filter", "_ZL16scandir64_compar",
                              "__sancov_lowest_stack"};
  return std::ranges::any_of(begins, [name](std::string_view begin) { return name.starts_with(begin); });
}

/// The file has thread-local storage; without its table of symbols it counts as the program's.
bool has_own_thread_locals(const char* path) noexcept {
  const tool::FileBytes file(path);
  const auto header = file.at<ElfW(Ehdr)>(0, 1);
  if (header.empty()) return true;
  const auto sections = file.at<ElfW(Shdr)>(header[0].e_shoff, header[0].e_shnum);
  const auto table = std::ranges::find(sections, ElfW(Word){SHT_SYMTAB}, &ElfW(Shdr)::sh_type);
  if (table == sections.end() || table->sh_link >= sections.size()) return true;
  const ElfW(Shdr)& texts = sections[table->sh_link];
  const auto names = file.at<char>(texts.sh_offset, texts.sh_size);
  const auto is_own = [names](const ElfW(Sym) & symbol) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS || symbol.st_shndx == SHN_UNDEF) return false;
    if (symbol.st_name >= names.size()) return true;
    const char* const begin = names.data() + symbol.st_name;
    return !is_of_runtime({begin, strnlen(begin, names.size() - symbol.st_name)});
  };
  const auto symbols = file.at<ElfW(Sym)>(table->sh_offset, table->sh_size / sizeof(ElfW(Sym)));
  return symbols.empty() || std::ranges::any_of(symbols, is_own);
}

int look_at(dl_phdr_info* module, std::size_t, void* found) {
  const std::span segments(module->dlpi_phdr, module->dlpi_phnum);
  const bool is_program = module->dlpi_name == nullptr || *module->dlpi_name == '\0';
  const bool has_storage = std::ranges::any_of(segments, [](const auto& one) { return one.p_type == PT_TLS; });
  if (!has_storage || !(is_program || interpose::has_undefined(*module, "__tsan_init"))) return 0;
  if (!has_own_thread_locals(is_program ? "/proc/self/exe" : module->dlpi_name)) return 0;
  *static_cast<bool*>(found) = true;
  return 1;
}

int count_loads(dl_phdr_info* module, std::size_t, void* loads) {
  *static_cast<unsigned long long*>(loads) = module->dlpi_adds;
  return 1;
}

} // namespace

bool ThreadLocals::exist() {
  unsigned long long loads = 0;
  dl_iterate_phdr(count_loads, &loads);
  if (loads != loads_seen_.exchange(loads, std::memory_order_relaxed)) {
    bool found = false;
    dl_iterate_phdr(look_at, &found);
    if (found) found_.store(true, std::memory_order_relaxed);
  }
  return found_.load(std::memory_order_relaxed);
}

} // namespace fletcher::annotate
