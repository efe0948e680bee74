// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/binding/module_functions.hpp"

#include "lib/interpose/binding/dynamic_symbols.hpp"
#include "lib/interpose/binding/names.hpp"

#include <link.h>
#include <unistd.h>

namespace fletcher::interpose {

namespace {

struct Search {
  Address code;
  Module found;
};

int read_module(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  Module& module = search.found;
  const auto page = static_cast<Address>(sysconf(_SC_PAGESIZE));
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const Address begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 || search.code - begin >= segment.p_memsz) continue;
    module.executable = info->dlpi_name == nullptr || *info->dlpi_name == '\0';
    module.code_begin = begin & ~(page - 1);
    module.code_end = (begin + segment.p_memsz + page - 1) & ~(page - 1);
    any_definition(*info, [&](const Definition& one) {
      if (one.is_function) module.functions.add({one.name, {one.at, one.size}});
      return false;
    });
    return 1;
  }
  return 0;
}

} // namespace

std::size_t Functions::slot_of(std::string_view name) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = names::hash(name) & mask;
  while (slots_[slot] != 0 && !names::is_same(all_[slots_[slot] - 1].name, name)) slot = (slot + 1) & mask;
  return slot;
}

void Functions::add(const Function& function) {
  if (slots_.size() < 2 * (all_.size() + 1)) {
    constexpr std::size_t fewest = 4096;
    slots_.assign(slots_.empty() ? fewest : 2 * slots_.size(), 0);
    for (std::uint32_t i = 0; i < all_.size(); ++i) slots_[slot_of(all_[i].name)] = i + 1;
  }
  std::uint32_t& slot = slots_[slot_of(function.name)];
  if (slot != 0) return;
  all_.push_back(function);
  slot = static_cast<std::uint32_t>(all_.size());
}

const Extent* Functions::find(std::string_view name) const noexcept {
  if (slots_.empty()) return nullptr;
  const std::uint32_t found = slots_[slot_of(name)];
  return found != 0 ? &all_[found - 1].extent : nullptr;
}

Module module_around(Address code) {
  Search search{code, {}};
  dl_iterate_phdr(read_module, &search);
  return search.found;
}

} // namespace fletcher::interpose
