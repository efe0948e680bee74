// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every interposed function of <string.h> gives what it should, where accesses are checked and where they are not.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static int failures;
#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("line %d: %s\n", __LINE__, #condition);                                                                   \
      failures++;                                                                                                      \
    }                                                                                                                  \
  } while (0)

// Through pointers that the compiler cannot see through, so that the calls stay calls.
static void* (*volatile f_memcpy)(void*, const void*, size_t) = memcpy;
static void* (*volatile f_memmove)(void*, const void*, size_t) = memmove;
static void* (*volatile f_memset)(void*, int, size_t) = memset;
static int (*volatile f_memcmp)(const void*, const void*, size_t) = memcmp;
static void* (*volatile f_memchr)(const void*, int, size_t) = memchr;
static size_t (*volatile f_strlen)(const char*) = strlen;
static size_t (*volatile f_strnlen)(const char*, size_t) = strnlen;
static char* (*volatile f_strcpy)(char*, const char*) = strcpy;
static char* (*volatile f_stpcpy)(char*, const char*) = stpcpy;
static char* (*volatile f_strncpy)(char*, const char*, size_t) = strncpy;
static char* (*volatile f_strcat)(char*, const char*) = strcat;
static char* (*volatile f_strncat)(char*, const char*, size_t) = strncat;
static int (*volatile f_strcmp)(const char*, const char*) = strcmp;
static int (*volatile f_strncmp)(const char*, const char*, size_t) = strncmp;
static int (*volatile f_strcasecmp)(const char*, const char*) = strcasecmp;
static int (*volatile f_strncasecmp)(const char*, const char*, size_t) = strncasecmp;
static char* (*volatile f_strchr)(const char*, int) = strchr;
static char* (*volatile f_strrchr)(const char*, int) = strrchr;
static char* (*volatile f_strstr)(const char*, const char*) = strstr;
static char* (*volatile f_strdup)(const char*) = strdup;
static char* (*volatile f_strndup)(const char*, size_t) = strndup;
static int (*volatile f_sprintf)(char*, const char*, ...) = sprintf;
static int (*volatile f_snprintf)(char*, size_t, const char*, ...) = snprintf;
static char* (*volatile f_fgets)(char*, int, FILE*) = fgets;

static int by_letter(const void* a, const void* b) { return *(const char*)a - *(const char*)b; }

struct big {
  char bytes[300];
};
static struct big copied(const struct big* from) { return *from; }

static void check(void) {
  char a[64], b[64];
  for (int i = 0; i < 64; i++) a[i] = (char)i;
  EXPECT(f_memcpy(b, a, 64) == b && f_memcmp(a, b, 64) == 0);
  EXPECT(f_memcpy(b, a, 0) == b);
  EXPECT(f_memmove(a + 3, a, 40) == a + 3 && a[3] == 0 && a[42] == 39);
  f_memcpy(a, b, 64);
  EXPECT(f_memmove(a, a + 3, 40) == a && a[0] == 3 && a[39] == 42);
  EXPECT(f_memset(a, 'z', 5) == a && a[4] == 'z' && a[5] == 8);
  EXPECT(f_memcmp("abc", "abd", 3) < 0 && f_memcmp("abc", "abd", 2) == 0);
  EXPECT(f_memchr(b, 9, 64) == b + 9 && f_memchr(b, 9, 9) == NULL);
  EXPECT(f_strlen("") == 0 && f_strlen("four") == 4);
  EXPECT(f_strnlen("four", 2) == 2 && f_strnlen("four", 9) == 4);
  EXPECT(f_strcpy(a, "text") == a && f_strcmp(a, "text") == 0);
  EXPECT(f_stpcpy(a, "longer text") == a + 11 && f_strcmp(a, "longer text") == 0);
  f_memset(a, 'q', 16);
  EXPECT(f_strncpy(a, "text", 10) == a && f_memcmp(a, "text\0\0\0\0\0\0qqqqqq", 16) == 0);
  EXPECT(f_strncpy(a, "text", 2) == a && f_memcmp(a, "text", 5) == 0);
  EXPECT(f_strcat(a, " more") == a && f_strcmp(a, "text more") == 0);
  EXPECT(f_strncat(a, " and more", 4) == a && f_strcmp(a, "text more and") == 0);
  EXPECT(f_strcmp("a", "b") < 0 && f_strcmp("b", "a") > 0 && f_strcmp("", "") == 0);
  EXPECT(f_strncmp("abx", "aby", 2) == 0 && f_strncmp("abx", "aby", 3) < 0);
  EXPECT(f_strcasecmp("TeXt", "tExT") == 0 && f_strncasecmp("TEa", "teb", 2) == 0);
  EXPECT(f_strchr("text", 'x')[0] == 'x' && f_strchr("text", 'q') == NULL && *f_strchr("text", 0) == 0);
  const char* text = "text";
  EXPECT(f_strrchr(text, 't') == text + 3 && f_strrchr(text, 'q') == NULL);
  EXPECT(f_strstr(text, "ex") == text + 1 && f_strstr(text, "xe") == NULL);
  char *copy = f_strdup("copy"), *part = f_strndup("part of it", 4);
  EXPECT(f_strcmp(copy, "copy") == 0 && f_strcmp(part, "part") == 0);
  free(copy);
  free(part);
  EXPECT(f_sprintf(a, "%d %s", 12, "texts") == 8 && f_strcmp(a, "12 texts") == 0);
  EXPECT(f_snprintf(a, 6, "%s", "longer") == 6 && f_strcmp(a, "longe") == 0 && f_snprintf(NULL, 0, "%d", 100) == 3);
  f_strcpy(a, "sorted");
  qsort(a, 6, 1, by_letter);
  EXPECT(f_strcmp(a, "deorst") == 0);
  bcopy("bytes", a, 6);
  EXPECT(f_strcmp(a, "bytes") == 0);
  bzero(a, 3);
  EXPECT(a[2] == 0 && a[3] == 'e');
  explicit_bzero(a, 4);
  EXPECT(a[3] == 0 && a[4] == 's');
  swab("badc", a, 5);
  EXPECT(f_strcmp(a, "abcds") == 0 && strverscmp("a9", "a10") < 0);
  struct big* one = malloc(sizeof *one);
  for (int i = 0; i < 300; i++) one->bytes[i] = (char)(i * 7);
  struct big two = copied(one);
  EXPECT(f_memcmp(one, &two, sizeof two) == 0);
  free(one);
}

int main(void) {
  check();
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    check();
  }
  char buffer[32] = {0};
  FILE* file = tmpfile();
  EXPECT(fwrite("to the file", 1, 11, file) == 11);
  rewind(file);
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    EXPECT(fread(buffer, 1, sizeof buffer, file) == 11);
  }
  EXPECT(f_strcmp(buffer, "to the file") == 0);
  rewind(file);
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    EXPECT(f_fgets(buffer, 3, file) == buffer && f_strcmp(buffer, "to") == 0);
  }
  fclose(file);
  puts(failures == 0 ? "ok" : "wrong");
  return 0;
}
