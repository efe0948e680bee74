// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/effects/known_functions.hpp"

#include "lib/effects/parse.hpp"
#include "lib/tool/log.hpp"
#include "reports/document/files.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace fletcher::interpose {

namespace {

/// Those that FLETCHER_LIBRARIES names, separated by colons.
const effects::Table& tables_of_user() {
  static const effects::Table* const the = [] {
    auto* const tables = new effects::Tables; // never destroyed
    const char* const variable = std::getenv("FLETCHER_LIBRARIES");
    std::string_view left = variable == nullptr ? "" : variable;
    while (!left.empty()) {
      const std::string path(left.substr(0, left.find(':')));
      left.remove_prefix(std::min(left.size(), path.size() + 1));
      const reports::Result<std::string> text = reports::read_file(path);
      if (!text) {
        tool::say("FLETCHER_LIBRARIES: " + text.error());
        continue;
      }
      for (const effects::Mistake& mistake : tables->add(*text))
        tool::say(path + ":" + std::to_string(mistake.line) + ":" + std::to_string(mistake.column) + ": " +
                  mistake.message + "; the rest of the file is not used");
    }
    return new effects::Table(tables->table());
  }();
  return *the;
}

} // namespace

std::optional<effects::Known> find_known(std::string_view symbol) noexcept {
  if (const auto known = effects::find(tables_of_user(), symbol)) return known;
  return effects::find(effects::built_in, symbol);
}

} // namespace fletcher::interpose
