/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Says where it is: prints the addresses that a checker would record for one access in each kind of place. The test
   knows the lines by their marks. */
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>

long total;
static int table[10];

/* name, code address, data address, frame pointer of the function that calls say */
__attribute__((noinline)) static void say(const char* name, void* data, void* frame) {
  printf("%s %p %p %p\n", name, __builtin_return_address(0), data, frame);
  fflush(stdout);
}

static inline __attribute__((always_inline)) void bump(int* p) {
  ++*p;
  say("inlined", p, __builtin_frame_address(0)); /* mark: inlined */
}

__attribute__((noinline)) void work(int n) {
  int local = n;
  int pair[2] = {n, n};
  say("local", &local, __builtin_frame_address(0)); /* mark: local */
  say("pair", &pair[1], __builtin_frame_address(0));
#pragma omp parallel num_threads(1)
  {
    say("region", &local, 0); /* mark: region */
#pragma omp task shared(local)
    say("task", &local, 0); /* mark: task */
#pragma omp taskwait
  }
  table[n % 10] = local + pair[0];
}

/* The blocks' variables may share their memory. */
__attribute__((noinline)) int blocks(int a, int b, int c, int d) {
  int wide[8], last[2];
  say("wide", &wide[1], __builtin_frame_address(0));
  say("last", &last[1], __builtin_frame_address(0));
  {
    int first[4];
    say("first", &first[1], __builtin_frame_address(0));
  }
  {
    int second[4];
    say("second", &second[1], __builtin_frame_address(0));
  }
  return wide[a % 8] + last[b % 2] + c + d;
}

/* Stands for the entry point that begins a construct, and for the function that GCC makes of the construct's body. */
typedef void (*body)(void*);
static void body_of_construct(void* data) __asm__("main._omp_fn.9");
#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noipa))
#endif
APART void begin(body run, long one, void* data) {
  printf("construct %p %p 0\n", __builtin_return_address(0), data);
  if (one == 1) run(data);
}
#pragma omp declare reduction(add:long : omp_out += omp_in) /* mark: construct */
__attribute__((noinline)) static void body_of_construct(void* data) { ++*(long*)data; }

static int module(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size, (void)data;
  ElfW(Addr) end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
  printf("module %p %p 0\n", (void*)info->dlpi_addr, (void*)end);
  return 1;
}

int main(void) {
  dl_iterate_phdr(module, 0);
  say("main", &total, 0); /* mark: main */
  say("table", &table[3], 0);
  bump(&table[1]); /* mark: call */
  work(7);
  total = blocks(1, 2, 3, 4);
  begin(body_of_construct, 1, &total);
  return 0;
}
