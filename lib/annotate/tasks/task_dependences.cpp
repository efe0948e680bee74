// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/tasks/task_dependences.hpp"

namespace fletcher::annotate {

std::vector<Dependent> places_of(Task& creator, std::span<const Dependence> list) {
  std::vector<Dependent> places;
  const memory::SpinGuard guard(creator.lock);
  for (const Dependence& one : list) {
    if (one.all_memory) {
      places.push_back({nullptr, one.type});
      continue;
    }
    places.push_back({&creator.dependents[one.address], one.type});
  }
  return places;
}

void come_after(const ThreadSanitizer& sanitizer, const Dependent& one, Task& creator) {
  if (one.at == nullptr) return sanitizer.acquire(creator.depending);
  sanitizer.acquire(one.at->out);
  if (one.type != DependenceType::inoutset) sanitizer.acquire(one.at->set);
  if (one.type != DependenceType::in) sanitizer.acquire(one.at->in);
}

void release_dependences(const ThreadSanitizer& sanitizer, const Task& task, Task& creator) {
  if (task.dependences.empty()) return;
  sanitizer.release(creator.depending);
  for (const Dependent& one : task.dependences)
    sanitizer.release(one.at == nullptr                      ? creator.all_memory
                      : one.type == DependenceType::in       ? one.at->in
                      : one.type == DependenceType::inoutset ? one.at->set
                                                             : one.at->out);
}

} // namespace fletcher::annotate
