// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding the module of an address, and documents as files. The JSON itself is in document_write.cpp and
// document_read.cpp.
#include "reports/document/document.hpp"

#include "reports/document/files.hpp"

#include <algorithm>

namespace fletcher::reports {

std::optional<Location> Document::locate(Address address) const noexcept {
  auto after = std::upper_bound(modules.begin(), modules.end(), address,
                                [](Address a, const Module& module) { return a < module.begin; });
  if (after == modules.begin()) return std::nullopt;
  const auto found = after - 1;
  if (address >= found->end) return std::nullopt;
  return Location{static_cast<std::size_t>(found - modules.begin()), address - found->base};
}

Document make_document(Run run, std::vector<Module> modules, std::vector<Finding> findings) {
  std::sort(modules.begin(), modules.end(), [](const Module& a, const Module& b) { return a.begin < b.begin; });
  return Document{std::move(run), std::move(modules), std::move(findings)};
}

Result<Document> read_document(const std::string& path) {
  auto text = read_file(path);
  if (!text) return Error{text.error()};
  auto document = from_json(*text);
  if (!document) return Error{path + ": " + document.error()};
  return document;
}

Result<Done> write_document(const Document& document, const std::string& path) {
  return write_file_atomically(path, to_json(document));
}

} // namespace fletcher::reports
