// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/calls/lock_call.hpp"

#include "reports/repair/source/statement_form.hpp"

#include <array>
#include <regex>
#include <utility>

namespace fletcher::reports {

namespace {

std::optional<LockCall> read_call(std::string_view line, const std::regex& form) {
  std::match_results<std::string_view::const_iterator> match;
  if (!std::regex_match(line.begin(), line.end(), match, form)) return std::nullopt;
  return LockCall{match[1].str(), match[2].str()};
}

/// A call on a line of its own, with what its argument may look like.
std::regex call_of(const std::string& lock) {
  return std::regex(R"(^\s*(?:call\s+)?(omp_set_lock|omp_set_nest_lock|pthread_mutex_lock|mtx_lock|omp_unset_lock|)"
                    R"(omp_unset_nest_lock|pthread_mutex_unlock|mtx_unlock)\s*\(\s*()" +
                    lock + R"()\s*\)\s*;?\s*$)");
}

} // namespace

std::optional<LockCall> lock_call(std::string_view line) {
  static const std::regex call = call_of(R"(&?\s*[A-Za-z_]\w*(?:\[[^\]]*\])?)");
  return read_call(line, call);
}

std::optional<LockCall> member_lock_call(std::string_view line) {
  static const std::regex call = call_of(R"(&?\s*[A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)+)");
  return read_call(line, call);
}

std::string object_of_lock(std::string_view lock) {
  while (lock.starts_with('&') || lock.starts_with(' ')) lock.remove_prefix(1);
  const std::string_view name = first_word(lock);
  return name.size() < lock.size() && lock[name.size()] != '[' ? std::string(name) : std::string();
}

std::optional<LockCall> omp_lock_call(const Code& code, std::uint32_t line) {
  auto call = lock_call(code.line(line));
  return call && call->function.starts_with("omp_") ? call : std::nullopt;
}

bool is_same_lock(const LockCall& a, const LockCall& b) { return without_blanks(a.lock) == without_blanks(b.lock); }

std::string_view undone_by(std::string_view function) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> pairs{
      {{"omp_set_lock", "omp_unset_lock"},
       {"omp_set_nest_lock", "omp_unset_nest_lock"},
       {"pthread_mutex_lock", "pthread_mutex_unlock"},
       {"mtx_lock", "mtx_unlock"}}};
  for (const auto& [set, unset] : pairs)
    if (set == function) return unset;
  return {};
}

std::string guarded_mutex(std::string_view text) {
  static const std::regex guard(
      R"(^\s*(?:const\s+)?(?:std::)?(?:lock_guard|unique_lock|scoped_lock)\s*(?:<[^;()]*>)?\s+\w+\s*(?:\(([^(),;]+)\)|\{([^{},;]+)\})\s*;\s*$)");
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_match(text.begin(), text.end(), found, guard)) return {};
  return without_blanks(found[1].matched ? found[1].str() : found[2].str());
}

std::vector<std::string> guarded_together(std::string_view text) {
  static const std::regex guard(
      R"(^\s*(?:const\s+)?(?:std::)?scoped_lock\s*(?:<[^;()]*>)?\s+\w+\s*(?:\(([^();]+)\)|\{([^{};]+)\})\s*;\s*$)");
  std::match_results<std::string_view::const_iterator> found;
  std::vector<std::string> out;
  if (!std::regex_match(text.begin(), text.end(), found, guard)) return out;
  std::string list = without_blanks(found[1].matched ? found[1].str() : found[2].str()) + ",";
  for (std::size_t end; (end = list.find(',')) != std::string::npos; list.erase(0, end + 1))
    out.push_back(list.substr(0, end));
  return out;
}

} // namespace fletcher::reports
