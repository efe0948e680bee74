// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collecting findings.

#include "lib/tool/findings/collector.hpp"

#include "include/fletcher/fletcher.h"
#include "lib/interpose/memory/object.hpp"
#include "lib/interpose/openmp/runtime_calls.hpp"
#include "lib/tool/control.hpp"
#include "lib/tool/findings/chosen_values.hpp"
#include "lib/tool/findings/needed_values.hpp"
#include "reports/document/enum_names.hpp"

#include <utility>

namespace fletcher::tool {

void Collector::found(std::uint64_t serial, Finding finding) {
  if (control::paused.load(std::memory_order_relaxed)) return; // by a thread that has not taken the pause over yet
  if (finding.if_lines_differ && !interpose::are_calls_of_the_runtime(finding)) return;
  if (is_code_of_sanitizer() && (may_be_unread(finding) || may_be_read_before_a_loop(finding))) return;
  receive(serial, std::move(finding));
}

void Collector::add(Finding finding) {
  constexpr std::uint64_t last = ~std::uint64_t{0}; // the checker's count from the first
  receive(last - added_.fetch_add(1, std::memory_order_relaxed), std::move(finding));
}

void Collector::receive(std::uint64_t serial, Finding finding) {
  if (finding.object.kind == ObjectKind::unknown && !finding.accesses.empty())
    finding.object = interpose::describe(finding.accesses.front().address);
  const bool certain = !finding.if_lines_differ;
  const std::string_view rule = reports::name_of(finding.rule);
  keep(serial, std::move(finding));
  if (certain) fletcher_on_finding(rule.data());
}

void Collector::keep(std::uint64_t serial, Finding finding) {
  const memory::SpinGuard guard(lock_);
  if (finding.severity == Severity::error && !finding.if_lines_differ) errors_ = true;
  if (findings_.size() >= max_findings_) {
    ++left_out_;
    return;
  }
  places_.emplace(serial, findings_.size());
  findings_.push_back(std::move(finding));
}

void Collector::again(std::uint64_t serial) {
  const memory::SpinGuard guard(lock_);
  if (const auto place = places_.find(serial); place != places_.end()) ++findings_[place->second].count;
}

std::vector<Finding> Collector::findings(std::size_t first) const {
  const memory::SpinGuard guard(lock_);
  if (first >= findings_.size()) return {};
  return {findings_.begin() + static_cast<std::ptrdiff_t>(first), findings_.end()};
}

std::size_t Collector::size() const {
  const memory::SpinGuard guard(lock_);
  return findings_.size();
}

bool Collector::has_errors() const {
  const memory::SpinGuard guard(lock_);
  return errors_;
}

std::uint64_t Collector::left_out() const {
  const memory::SpinGuard guard(lock_);
  return left_out_;
}

void Collector::clear() {
  const memory::SpinGuard guard(lock_);
  findings_.clear();
  places_.clear();
  added_ = 0;
  left_out_ = 0;
  errors_ = false;
}

} // namespace fletcher::tool
