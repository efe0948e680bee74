// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory, threads and statics at every stage of a process: constructors of every priority, main, thread-local
// destructors, exit handlers, destructors. Says "ok" when each saw what it should.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <malloc.h>
#include <pthread.h>

namespace {

int stages = 0;

bool memory_works() {
  bool good = true;
  char* text = static_cast<char*>(std::malloc(10));
  std::strcpy(text, "fletcher");
  text = static_cast<char*>(std::realloc(text, 100000));
  good &= std::strcmp(text, "fletcher") == 0;
  text = static_cast<char*>(std::realloc(text, 5));
  good &= std::memcmp(text, "fletc", 5) == 0;
  std::free(text);
  auto* zeros = static_cast<unsigned char*>(std::calloc(1000, 3));
  for (int i = 0; i < 3000; ++i) good &= zeros[i] == 0;
  std::free(zeros);
  for (std::size_t alignment = 16; alignment <= 4096; alignment *= 2) {
    void* block = nullptr;
    good &= posix_memalign(&block, alignment, 100) == 0 && reinterpret_cast<std::size_t>(block) % alignment == 0;
    good &= malloc_usable_size(block) >= 100;
    std::free(block);
    block = std::aligned_alloc(alignment, alignment * 2);
    good &= block != nullptr && reinterpret_cast<std::size_t>(block) % alignment == 0;
    std::free(block);
    block = memalign(alignment, 1);
    good &= block != nullptr && reinterpret_cast<std::size_t>(block) % alignment == 0;
    std::free(block);
  }
  volatile std::size_t huge = ~std::size_t{0} / 2; // so that the compiler does not answer itself
  void* volatile refused = std::malloc(huge);
  good &= refused == nullptr;
  refused = std::calloc(huge, 4);
  good &= refused == nullptr;
  std::free(nullptr);
  std::vector<std::string> strings(100, std::string(100, 'x'));
  strings.resize(1000);
  auto array = std::make_unique<int[]>(1000);
  struct alignas(64) Line {
    char bytes[64];
  };
  auto line = std::make_unique<Line>();
  good &= reinterpret_cast<std::size_t>(line.get()) % 64 == 0;
  return good;
}

void stage(bool good) { stages += good ? 1 : 1000; }

[[gnu::constructor(101)]] void first() { stage(memory_works()); }
[[gnu::constructor]] void second() { stage(memory_works()); }

struct Global {
  Global() {
    std::thread([] { stage(memory_works()); }).join();
  }
  ~Global() {
    stage(memory_works());
    std::puts(stages == 9 ? "ok" : "wrong");
    std::fflush(stdout);
  }
} global;

struct Local {
  volatile int used = 0;
  ~Local() { stage(memory_works()); }
};
thread_local Local local;

const std::string& lazy() {
  static const std::string text(50, 'y');
  return text;
}

void* other_thread(void*) {
  local.used = 1;
  stage(memory_works() && lazy().size() == 50);
  pthread_exit(nullptr); // by unwinding
}

} // namespace

int main() {
  std::atexit([] { stage(memory_works()); });
  pthread_t thread;
  pthread_create(&thread, nullptr, other_thread, nullptr); // two stages, with its thread-local's destructor
  pthread_join(thread, nullptr);
  stage(memory_works());
  bool thrown = false;
  try {
    std::vector<int>().at(1);
  } catch (const std::out_of_range&) {
    thrown = true;
  }
  stage(thrown);
  return 0;
}
