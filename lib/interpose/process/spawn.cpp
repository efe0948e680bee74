// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who starts another program by posix_spawn(), as make does. Libc has two versions of it: the first one, for which
// programs of before 2012 ask, gives a file whose format the kernel does not know to the shell. A function here answers
// both: it calls the later version, and where that refuses such a file the first one, if the caller's module asks for
// it.

#include "lib/interpose/binding/dynamic_tables.hpp"
#include "lib/interpose/binding/references.hpp"
#include "lib/interpose/real.hpp"
#include "lib/tool/process/unchecked_programs.hpp"

#include <dlfcn.h>
#include <link.h>
#include <spawn.h>

#include <cerrno>
#include <cstdint>
#include <string_view>

using fletcher::tool::about_to_execute, fletcher::tool::about_to_execute_found;

namespace {

using fletcher::interpose::any_reference, fletcher::interpose::DynamicTables, fletcher::interpose::next_definition,
    fletcher::interpose::Reference, fletcher::interpose::tables_of;

#if defined(__x86_64__)
constexpr const char *later = "GLIBC_2.15", *first = "GLIBC_2.2.5";
#else
constexpr const char *later = "GLIBC_2.17", *first = later; // libc's first version there
#endif

using Spawn = int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*,
                  char* const*);

/// With its version: a library that hands on to the later one by the name alone would come back here.
Spawn* find(const char* name, const char* version) noexcept {
  void* const found = dlvsym(RTLD_NEXT, name, version);
  return reinterpret_cast<Spawn*>(found != nullptr ? found : next_definition(name));
}

/// Both versions of one function, looked up before a process is in a child of vfork().
struct Versions {
  const char* name;
  Spawn *by_later = nullptr, *by_first = nullptr;
  void look_up() noexcept {
    by_later = find(name, later);
    by_first = find(name, first);
  }
};
constinit Versions spawn{"posix_spawn"}, spawnp{"posix_spawnp"};

void look_up() noexcept {
  if (spawnp.by_first != nullptr) return;
  spawn.look_up();
  spawnp.look_up();
}

[[gnu::constructor]] void loaded() { look_up(); }

/// The name of the n-th version that the module needs.
const char* needed_version(const char* needs, const char* strings, unsigned n) noexcept {
  for (std::uint32_t next = 1; next != 0; needs += next) {
    const auto* const library = reinterpret_cast<const ElfW(Verneed)*>(needs);
    const char* version = needs + library->vn_aux;
    for (unsigned i = 0; i < library->vn_cnt; ++i) {
      const auto* const it = reinterpret_cast<const ElfW(Vernaux)*>(version);
      if (it->vna_other == n) return strings + it->vna_name;
      version += it->vna_next;
    }
    next = library->vn_next;
  }
  return "";
}

/// With which version the module refers to the function; empty where with none, or not at all.
std::string_view asked_version(const dl_phdr_info& module, std::string_view function) noexcept {
  const DynamicTables tables = tables_of(module);
  const char* needs = nullptr;
  const ElfW(Versym)* versions = nullptr; // by symbol
  for (unsigned i = 0; i < module.dlpi_phnum; ++i) {
    if (module.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(module.dlpi_addr + module.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_VERSYM) versions = reinterpret_cast<const ElfW(Versym)*>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_VERNEED)
        needs = reinterpret_cast<const char*>(module.dlpi_addr + entry->d_un.d_ptr); // which nobody relocates
    }
  }
  if (tables.strings == nullptr || versions == nullptr || needs == nullptr) return {};
  std::string_view found;
  any_reference(module, [&](const Reference& reference) {
    if (reference.defined || reference.name() != function) return false;
    found = needed_version(needs, tables.strings, versions[reference.symbol] & 0x7fff);
    return true;
  });
  return found;
}

struct Caller {
  const char* function;
  const link_map* module;
};

/// 1 for the caller's module where that asks for the first version.
int asks_for_first(dl_phdr_info* module, std::size_t, void* data) {
  const auto& caller = *static_cast<const Caller*>(data);
  return module->dlpi_addr == caller.module->l_addr && asked_version(*module, caller.function) == first;
}

bool meant_first(const void* code, const char* function) noexcept {
  dl_find_object found{};
  if (_dl_find_object(const_cast<void*>(code), &found) != 0 || found.dlfo_link_map == nullptr) return false;
  Caller caller{function, found.dlfo_link_map};
  return dl_iterate_phdr(asks_for_first, &caller) != 0;
}

int call(const Versions& versions, const void* caller, pid_t* child, const char* file,
         const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes, char* const* words,
         char* const* environment) {
  const int error = versions.by_later(child, file, actions, attributes, words, environment);
  if (error != ENOEXEC || versions.by_first == versions.by_later || !meant_first(caller, versions.name)) return error;
  return versions.by_first(child, file, actions, attributes, words, environment);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int posix_spawn(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const* words, char* const* environment) {
  look_up();
  about_to_execute(file, environment);
  return call(spawn, __builtin_return_address(0), child, file, actions, attributes, words, environment);
}
int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const* words, char* const* environment) {
  look_up();
  about_to_execute_found(file, environment);
  return call(spawnp, __builtin_return_address(0), child, file, actions, attributes, words, environment);
}

} // extern "C"
#pragma GCC visibility pop
