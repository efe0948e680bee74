// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's runtime says by a file in shared memory, named after the process's number, that it is there, and reads what
// another copy of it in the process may have left there. A process that was killed as it made the file leaves an empty
// one, and the next OpenMP program that gets its number dies of SIGBUS before it has begun. In test suites, where
// programs are killed and numbers come round, that would seem to be this library's doing.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace {

[[gnu::constructor]] void remove_empty_registration() {
  char path[64];
  std::snprintf(path, sizeof path, "/dev/shm/__KMP_REGISTERED_LIB_%d_%u", getpid(), getuid());
  struct stat found;
  if (lstat(path, &found) == 0 && S_ISREG(found.st_mode) && found.st_size == 0) unlink(path);
}

} // namespace
