// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// URIs are percent-encoded per RFC 3986; columns are converted from the compilers' bytes to UTF-16 code units.
#include "reports/forms/sarif_places.hpp"

#include "reports/document/words.hpp"
#include "reports/symbols/function_names.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

namespace fletcher::reports {
namespace {

std::string encoded(std::string_view path) {
  constexpr std::string_view digits = "0123456789ABCDEF", plain = "-._~/+@";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || plain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  return out;
}

std::string language_of(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".c" || extension == ".h") return "c";
  if (extension.starts_with(".f") || extension.starts_with(".F")) return "fortran";
  if (extension.empty() || extension.starts_with(".so")) return {};
  return "cplusplus";
}

/// The 1-based UTF-16 column of a 1-based byte column.
std::uint32_t utf16_column(std::string_view line, std::uint32_t column) {
  std::uint32_t out = 1;
  for (const char c : line.substr(0, column - 1)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) out += byte >= 0xf0 ? 2 : 1;
  }
  return out;
}

const Frame* frame_at(const SourcePlace& place, const std::vector<Frame>& stack) {
  for (const Frame& frame : stack)
    if (frame.place == place) return &frame;
  return place.known() || stack.empty() ? nullptr : &stack.front();
}

} // namespace

std::string folder_uri(const std::string& path) {
  const std::string uri = "file://" + encoded(std::filesystem::path(path).lexically_normal().string());
  return uri.ends_with('/') ? uri : uri + "/";
}

Json SarifPlaces::artifact(const std::string& file) {
  const auto [entry, fresh] = index_.try_emplace(file, artifacts_.size());
  const std::string shown = sources_.shown(file);
  Json location;
  if (!shown.starts_with('/')) {
    location = {{"uri", encoded(shown)}, {"uriBaseId", source_root_id}, {"index", entry->second}};
  } else {
    location = {{"uri", "file://" + encoded(shown)}, {"index", entry->second}};
  }
  if (fresh) {
    const std::string language = language_of(file);
    Json artifact{{"location", location}, {"roles", {language.empty() ? "analysisTarget" : "resultFile"}}};
    if (!language.empty()) artifact["sourceLanguage"] = language;
    artifacts_.push_back(artifact);
  }
  return location;
}

Json SarifPlaces::region(const SourcePlace& place) {
  Json out{{"startLine", place.line}};
  const auto text = sources_.line(place.file, place.line);
  if (place.column == 0) {
    if (text) out["snippet"] = {{"text", std::string(*text)}};
    return out;
  }
  if (!text || place.column > text->size()) {
    out["startColumn"] = place.column;
    return out;
  }
  out["startColumn"] = utf16_column(*text, place.column);
  out["snippet"] = {{"text", std::string(text->substr(place.column - 1))}};
  return out;
}

Json SarifPlaces::context_region(const SourcePlace& place) {
  constexpr std::uint32_t around = 2;
  const std::uint32_t first = place.line > around ? place.line - around : 1;
  std::string text;
  std::uint32_t last = 0;
  for (std::uint32_t line = first; line <= place.line + around; ++line)
    if (const auto source = sources_.line(place.file, line)) text += std::string(*source) + "\n", last = line;
  if (last < place.line || first == last) return nullptr;
  return {{"startLine", first}, {"endLine", last}, {"snippet", {{"text", text}}}};
}

Json SarifPlaces::location(const SourcePlace& place, const std::vector<Frame>& stack, bool context) {
  Json physical;
  const Frame* frame = frame_at(place, stack);
  if (place.known()) {
    physical = {{"artifactLocation", artifact(place.file)}, {"region", region(place)}};
    if (context)
      if (Json around = context_region(place); !around.is_null()) physical["contextRegion"] = std::move(around);
  } else {
    // No line is known, so none is said: the address says where the code is.
    const std::string module = frame != nullptr && !frame->module.empty() ? frame->module : "unknown";
    physical = {{"artifactLocation", artifact(module)}};
    if (frame != nullptr) physical["address"] = {{"relativeAddress", frame->offset}, {"kind", "instruction"}};
  }
  Json out{{"physicalLocation", std::move(physical)}};
  if (frame != nullptr && !frame->function.name.empty())
    out["logicalLocations"] = Json::array({{{"fullyQualifiedName", frame->function.name}, {"kind", "function"}}});
  return out;
}

} // namespace fletcher::reports
