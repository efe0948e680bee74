// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/binding/called_names.hpp"

#include "lib/interpose/binding/references.hpp"
#include "lib/tool/process/call_target.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

namespace fletcher::interpose {

CalledNames::CalledNames(Address code) {
  struct Search {
    Address code;
    std::map<Address, const char*>& slots;
  } search{code, slots_};
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* data) {
        const Search& wanted = *static_cast<Search*>(data);
        const auto holds = [&](const ElfW(Phdr) & part) {
          return part.p_type == PT_LOAD && wanted.code - module->dlpi_addr - part.p_vaddr < part.p_memsz;
        };
        if (std::ranges::none_of(std::span(module->dlpi_phdr, module->dlpi_phnum), holds)) return 0;
        any_reference(*module, [&](const Reference& reference) {
          if (reference.slot != nullptr) wanted.slots[reinterpret_cast<Address>(reference.slot)] = reference.text;
          return false;
        });
        return 1;
      },
      &search);
}

std::string_view CalledNames::operator()(Address at, bool is_slot) const {
  const std::optional<Address> slot = is_slot ? at : tool::slot_of_stub(at);
  if (slot) {
    const auto known = slots_.find(*slot);
    return known == slots_.end() ? std::string_view{} : known->second;
  }
  Dl_info info{};
  const bool found = dladdr(reinterpret_cast<const void*>(at), &info) != 0 && info.dli_sname != nullptr &&
                     reinterpret_cast<Address>(info.dli_saddr) == at;
  return found ? info.dli_sname : std::string_view{};
}

std::string_view CalledNames::of_call(Address return_address) const {
  const auto call = tool::called_by(return_address);
  return call ? (*this)(call->at, call->is_slot) : std::string_view{};
}

} // namespace fletcher::interpose
