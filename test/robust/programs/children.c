// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Children of fork, vfork and posix_spawn (system, popen), from serial code and from regions whose other threads are
// busy with memory at that moment. Each child goes on as a program may: memory, a region where it was forked in serial
// code.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { children = 12 };

static int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int use_memory(void) {
  int sum = 0;
  for (int i = 1; i < 200; i++) {
    char* block = malloc((size_t)i * 16);
    memset(block, 1, (size_t)i * 16);
    sum += block[i];
    free(block);
  }
  return sum == 199;
}

static int use_region(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int i = 0; i < 100; i++) sum += i;
  return sum == 4950;
}

static int ask(const char* command, const char* answer) {
  char line[64] = "";
  FILE* pipe = popen(command, "r");
  if (!pipe || !fgets(line, sizeof line, pipe)) return 0;
  return pclose(pipe) == 0 && strncmp(line, answer, strlen(answer)) == 0;
}

static int child_by_vfork(void) {
  pid_t child = vfork();
  if (child == 0) {
    execl("/bin/true", "true", (char*)0);
    _exit(1);
  }
  return status_of(child) == 0;
}

int main(void) {
  int good = 1, busy = 1;
  for (int i = 0; i < children; i++) {
    good &= use_region();
    pid_t child = fork();
    if (child == 0) exit(use_memory() && use_region() ? 17 : 1);
    good &= status_of(child) == 17;
  }
  good &= system("exit 0") == 0 && ask("echo ready", "ready") && child_by_vfork();
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int k = 0; k < 2; k++) {
#pragma omp task shared(busy)
      for (int go = 1; go;) {
        (void)use_memory();
#pragma omp atomic read
        go = busy;
      }
    }
    int here = 1;
    for (int i = 0; i < children; i++) {
      pid_t child = fork();
      if (child == 0) _exit(use_memory() ? 18 : 1);
      here &= status_of(child) == 18;
      child = fork();
      if (child == 0) {
        execl("/bin/true", "true", (char*)0);
        _exit(1);
      }
      here &= status_of(child) == 0;
    }
    here &= system("exit 0") == 0 && ask("echo ready", "ready") && child_by_vfork();
    good &= here;
#pragma omp atomic write
    busy = 0;
  }
  puts(good ? "ok" : "wrong");
  return 0;
}
