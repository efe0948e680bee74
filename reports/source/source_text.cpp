// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads source files whole: they are small, and a report names several lines of each.
#include "reports/source/source_text.hpp"

#include "reports/document/files.hpp"

#include <filesystem>

namespace fletcher::reports {
namespace fs = std::filesystem;

SourceText::SourceText(std::string root) {
  std::error_code ignored;
  fs::path path = root.empty() ? fs::current_path(ignored) : fs::absolute(root, ignored);
  root_ = path.lexically_normal().string();
  while (root_.size() > 1 && root_.back() == '/') root_.pop_back();
}

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

} // namespace

void SourceText::put(const std::string& file, std::string_view text) { files_[file] = lines_of(text); }

const std::vector<std::string>& SourceText::lines(const std::string& file) {
  const auto [entry, fresh] = files_.try_emplace(file);
  if (!fresh) return entry->second;
  std::error_code ignored;
  const fs::path path = fs::path(root_) / file; // an absolute name replaces the root
  if (!fs::is_regular_file(path, ignored)) return entry->second;
  const auto text = read_file(path.string());
  if (!text) return entry->second;
  entry->second = lines_of(*text);
  return entry->second;
}

std::optional<std::string_view> SourceText::line(const std::string& file, std::uint32_t number) {
  if (file.empty() || number == 0) return std::nullopt;
  const auto& all = lines(file);
  if (number > all.size()) return std::nullopt;
  return all[number - 1];
}

std::string SourceText::shown(const std::string& file) const {
  const std::string prefix = root_ == "/" ? root_ : root_ + "/";
  return file.starts_with(prefix) ? file.substr(prefix.size()) : file;
}

} // namespace fletcher::reports
