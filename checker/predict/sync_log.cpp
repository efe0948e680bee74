// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/predict/sync_log.hpp"

#include <utility>

namespace fletcher::predict {

std::uint32_t SyncLog::acquired(std::uint32_t lock, ChainId chain, StrandId strand, order::Knowledge before) {
  if (!complete()) return none;
  if (!active_.load(std::memory_order_relaxed)) active_.store(true, std::memory_order_release);
  const std::uint32_t i = sections_.append();
  if (i == sections_.none) {
    lose();
    return none;
  }
  Section& s = sections_[i];
  s.lock = lock;
  s.chain = chain;
  s.acquired = strand;
  s.before = std::move(before);
  s.state.store(Section::State::open, std::memory_order_release);
  return i;
}

void SyncLog::released(std::uint32_t section, const order::Knowledge& known, bool opaque) {
  Section& s = sections_[section];
  s.opaque = opaque;
  s.released = known;
  s.state.store(Section::State::closed, std::memory_order_release);
}

void SyncLog::read_from(memory::AppendRange& own, StrandId reader, StrandId writer) {
  if (!complete()) return;
  const std::uint32_t i = reads_.append(own);
  if (i == reads_.none) return lose();
  ReadsFrom& r = reads_[i];
  r.reader = reader;
  r.writer = writer;
  r.filled.store(true, std::memory_order_release);
}

void SyncLog::clear() {
  for (std::uint32_t i = 0; i < sections_.size(); ++i) {
    Section& s = sections_[i];
    s.state.store(Section::State::absent, std::memory_order_relaxed);
    s.before.clear();
    s.released.clear();
  }
  for (std::uint32_t i = 0; i < reads_.size(); ++i) reads_[i].filled.store(false, std::memory_order_relaxed);
  sections_.clear();
  reads_.clear();
  locks_.store(0, std::memory_order_relaxed);
  active_.store(false, std::memory_order_relaxed);
  complete_.store(true, std::memory_order_release);
}

void SyncLog::name_past(order::Sweep& sweep) {
  for (std::uint32_t i = 0; i < sections_.size(); ++i) {
    if (section(i) == nullptr) continue;
    Section& s = sections_[i];
    sweep.needs(s.chain);
    sweep.needs(s.acquired);
    sweep.knows(s.before);
    sweep.knows(s.released);
  }
  for (std::uint32_t i = 0; i < reads_.size(); ++i)
    if (const ReadsFrom* const r = read(i)) {
      sweep.needs(r->reader);
      sweep.needs(r->writer);
    }
}

} // namespace fletcher::predict
