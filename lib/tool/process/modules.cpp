// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asking the dynamic loader what is loaded.

#include "lib/tool/process/modules.hpp"

#include "checker/memory/spin_lock.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace fletcher::tool {

namespace {

/// The digits of the GNU build id in a note segment; empty where there is none.
std::string build_id(const char* notes, std::size_t size) {
  constexpr auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof header);
    const std::size_t whole = sizeof header + padded(header.n_namesz) + padded(header.n_descsz);
    if (whole > size) break;
    const char* const name = notes + sizeof header;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      std::string digits;
      for (std::size_t i = 0; i < header.n_descsz; ++i) {
        const auto byte = static_cast<unsigned char>(name[padded(header.n_namesz) + i]);
        digits += "0123456789abcdef"[byte >> 4];
        digits += "0123456789abcdef"[byte & 15];
      }
      return digits;
    }
    notes += whole;
    size -= whole;
  }
  return {};
}

struct Modules {
  const std::string& program;
  std::vector<reports::Module> list;
};

int visit(dl_phdr_info* info, std::size_t, void* data) {
  auto& modules = static_cast<Modules*>(data)->list;
  reports::Module module;
  module.base = info->dlpi_addr;
  module.path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  if (modules.empty()) module.path = static_cast<Modules*>(data)->program;
  module.begin = ~Address{0};
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const Address begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD) {
      module.begin = std::min(module.begin, begin);
      module.end = std::max(module.end, begin + segment.p_memsz);
    } else if (segment.p_type == PT_NOTE && module.build_id.empty()) {
      module.build_id = build_id(reinterpret_cast<const char*>(begin), segment.p_memsz);
    }
  }
  if (module.begin < module.end) modules.push_back(std::move(module));
  return 0;
}

bool overlap(const reports::Module& a, const reports::Module& b) noexcept { return a.begin < b.end && b.begin < a.end; }

std::vector<reports::Module> present_modules(const std::string& program) {
  Modules modules{program, {}};
  dl_iterate_phdr(visit, &modules);
  return std::move(modules.list);
}

/// Never freed: findings may name it until its very end.
struct Remembered {
  memory::SpinLock lock;
  std::vector<reports::Module> list;
};
Remembered& remembered() {
  static auto* const the = new Remembered;
  return *the;
}

} // namespace

void remember_module(Address pc, const std::string& program) {
  static constinit unsigned long long loads_seen = 0;
  unsigned long long loads = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        *static_cast<unsigned long long*>(data) = info->dlpi_adds;
        return 1;
      },
      &loads);
  const memory::SpinGuard guard(remembered().lock);
  const auto contains = [pc](const reports::Module& module) { return pc >= module.begin && pc < module.end; };
  // Each source file has a constructor that comes by here.
  if (std::exchange(loads_seen, loads) == loads && std::ranges::any_of(remembered().list, contains)) return;
  for (reports::Module& module : present_modules(program)) {
    if (!contains(module)) continue;
    std::erase_if(remembered().list, [&](const reports::Module& old) { return overlap(old, module); });
    remembered().list.push_back(std::move(module));
    return;
  }
}

std::vector<reports::Module> known_modules(const std::string& program) {
  std::vector<reports::Module> modules = present_modules(program);
  const std::size_t present = modules.size();
  const memory::SpinGuard guard(remembered().lock);
  for (const reports::Module& old : remembered().list) {
    const auto end = modules.begin() + static_cast<std::ptrdiff_t>(present);
    if (std::none_of(modules.begin(), end, [&](const reports::Module& module) { return overlap(old, module); }))
      modules.push_back(old);
  }
  return modules;
}

std::string own_path() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_path), &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

} // namespace fletcher::tool
