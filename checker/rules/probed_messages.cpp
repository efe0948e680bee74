// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/probed_messages.hpp"

#include <algorithm>
#include <utility>

namespace fletcher::rules {

std::vector<std::uint32_t> ProbedMessages::alike(const MpiMessage& message) {
  std::vector<std::uint32_t> out;
  const memory::SpinGuard guard(lock_);
  if (std::ranges::find(known_, message) == known_.end() && known_.size() < most_alike) known_.push_back(message);
  for (std::uint32_t i = 0; i < known_.size(); ++i)
    if (known_[i].may_be(message)) out.push_back(i);
  return out;
}

std::optional<std::uint32_t> ProbedMessages::number_of(const MpiMessage& message) {
  if (message.source == MpiMessage::any || message.tag == MpiMessage::any) return std::nullopt;
  const memory::SpinGuard guard(lock_);
  const auto at = std::ranges::find(known_, message);
  if (at == known_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(at - known_.begin());
}

void ProbedMessages::found(TaskId task, Address probe, const MpiMessage& sought, const MpiMessage& message) {
  const memory::SpinGuard guard(lock_);
  if (open_.size() >= most_tasks) open_.clear();
  std::vector<Probe>& own = open_[number(task)];
  std::erase_if(own, [&](const Probe& p) { return p.message == message; }); // looked for once more
  own.push_back({probe, sought, message});
}

ProbedMessages::Received ProbedMessages::received(TaskId task, const MpiMessage& message) {
  Received out{message, {}};
  const memory::SpinGuard guard(lock_);
  const auto own = open_.find(number(task));
  if (own == open_.end()) return out;
  std::erase_if(own->second, [&](const Probe& p) {
    if (!p.message.may_be(message)) return false;
    out.sought = p.sought;
    meant_.insert(p.at);
    return true;
  });
  if (own->second.empty()) open_.erase(own);
  std::erase_if(kept_, [&](Stolen& one) {
    if (!meant_.contains(one.probe)) return false;
    out.stolen.push_back(std::move(one));
    return true;
  });
  return out;
}

bool ProbedMessages::matters(Stolen stolen) {
  const memory::SpinGuard guard(lock_);
  if (meant_.contains(stolen.probe)) return true;
  const auto same = [&](const Stolen& one) { return one.probe == stolen.probe && one.receive == stolen.receive; };
  if (kept_.size() < most_kept && std::ranges::none_of(kept_, same)) kept_.push_back(std::move(stolen));
  return false;
}

} // namespace fletcher::rules
