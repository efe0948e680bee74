// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strtok, strtok_r and strsep as accesses of the instrumented code that calls them: what they read of the text, the
// zero that they put behind the token, and where they note how far they came. strtok notes it in a place of libc's, for
// which a variable of this library stands.

#include "lib/interpose/text/text_accesses.hpp"

#include <atomic>

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::texts;

// Shown, so that a finding can name it.
extern "C" {
[[gnu::visibility("default")]] constinit char* fletcher_state_of_strtok = nullptr;
}

namespace {

constinit Real<char*(char*, const char*) noexcept> real_strtok{"strtok"};
constinit Real<char*(char*, const char*, char**) noexcept> real_strtok_r{"strtok_r"};
constinit Real<char*(char**, const char*) noexcept> real_strsep{"strsep"};
constinit Real<Size(const char*, const char*) noexcept> real_strspn{"strspn"}, real_strcspn{"strcspn"};

/// Who called strtok last, if it is known where its text goes on: there, on that thread.
constinit std::atomic<const Thread*> last_caller{nullptr};
[[gnu::tls_model("initial-exec")]] constinit thread_local char* rest = nullptr;

/// Of `text` up to the character behind the token, which becomes a zero. Where the text goes on.
char* takes_token(Thread& thread, Address pc, char* text, const char* delimiters) {
  const Size begin = real_strspn(text, delimiters), end = begin + real_strcspn(text + begin, delimiters);
  reads(thread, text, end + 1, pc);
  if (text[end] == '\0') return text + end;
  writes(thread, text + end, 1, pc);
  return text + end + 1;
}

[[gnu::noinline]] char* checked_strtok(Thread& thread, Address pc, char* text, const char* delimiters) {
  measures(thread, pc, delimiters);
  writes(thread, &fletcher_state_of_strtok, sizeof fletcher_state_of_strtok, pc);
  const bool follows = text == nullptr && last_caller.load(std::memory_order_relaxed) == &thread;
  char* const from = follows ? rest : text;
  if (from != nullptr) rest = takes_token(thread, pc, from, delimiters);
  char* const token = real_strtok(text, delimiters);
  last_caller.store(from != nullptr && token != nullptr ? &thread : nullptr, std::memory_order_relaxed);
  if (from == nullptr && token != nullptr) measures(thread, pc, token);
  return token;
}

void takes_token_from(Thread& thread, Address pc, char* text, const char* delimiters, char** place) {
  measures(thread, pc, delimiters);
  if (text == nullptr) {
    reads(thread, place, sizeof *place, pc);
    text = *place;
  }
  if (text != nullptr) takes_token(thread, pc, text, delimiters);
  writes(thread, place, sizeof *place, pc);
}
void separates(Thread& thread, Address pc, char** place, const char* delimiters) {
  reads(thread, place, sizeof *place, pc);
  char* const text = *place;
  if (text == nullptr) return;
  measures(thread, pc, delimiters);
  const Size end = real_strcspn(text, delimiters);
  reads(thread, text, end + 1, pc);
  if (text[end] != '\0') writes(thread, text + end, 1, pc);
  writes(thread, place, sizeof *place, pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

char* strtok(char* text, const char* delimiters) noexcept {
  const Address pc = caller();
  if (Thread* const thread = checked(pc); thread != nullptr) [[unlikely]]
    return checked_strtok(*thread, pc, text, delimiters);
  last_caller.store(nullptr, std::memory_order_relaxed);
  return real_strtok(text, delimiters);
}
char* strtok_r(char* text, const char* delimiters, char** place) noexcept {
  return with_accesses<takes_token_from, real_strtok_r>(caller(), text, delimiters, place);
}
char* __strtok_r(char* text, const char* delimiters, char** place) noexcept {
  return with_accesses<takes_token_from, real_strtok_r>(caller(), text, delimiters, place);
}
char* strsep(char** place, const char* delimiters) noexcept {
  return with_accesses<separates, real_strsep>(caller(), place, delimiters);
}

} // extern "C"
#pragma GCC visibility pop
