// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every interposed function that makes, takes apart or measures texts gives what it should, where accesses are checked
// and where they are not.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <printf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static int failures;
#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("line %d: %s\n", __LINE__, #condition);                                                                   \
      failures++;                                                                                                      \
    }                                                                                                                  \
  } while (0)
#define SAME(text, expected) EXPECT(strcmp(text, expected) == 0)
#define SAME_WIDE(text, expected) EXPECT(wcscmp(text, expected) == 0)

static int made_by(char* buffer, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsprintf(buffer, format, arguments);
  va_end(arguments);
  return length;
}
static int scanned_by(const char* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = vsscanf(text, format, arguments);
  va_end(arguments);
  return assigned;
}

static void printing(FILE* file) {
  static const char percent_n[] = "%d%n!"; // read-only, as _FORTIFY_SOURCE wants it
  char text[128], unended[3] = {'a', 'b', 'c'}, *made = NULL;
  int count = 0;
  EXPECT(sprintf(text, "%d %s %5.1f|%-4s|%.3s", 12, "texts", 1.25, "ab", unended) == 23);
  SAME(text, "12 texts   1.2|ab  |abc");
  EXPECT(snprintf(text, sizeof text, "%2$s %1$s", "b", "a") == 3);
  SAME(text, "a b");
  EXPECT(snprintf(text, sizeof text, "%2$*1$d|%3$.*4$s", 4, 7, "abcdef", 2) == 7);
  SAME(text, "   7|ab");
  EXPECT(snprintf(text, sizeof text, percent_n, 12345, &count) == 6 && count == 5);
  const char* volatile null = NULL;
  EXPECT(snprintf(text, sizeof text, "%s", null) == 6);
  SAME(text, "(null)");
  EXPECT(snprintf(text, sizeof text, "%ls %S", L"wide", L"text") == 9);
  SAME(text, "wide text");
  EXPECT(made_by(text, "%s-%Lf-%s", "x", 1.5L, "y") == 12);
  SAME(text, "x-1.500000-y");
  EXPECT(asprintf(&made, "%s and %d", "text", 7) == 10);
  SAME(made, "text and 7");
  free(made);
  errno = ENOENT;
  EXPECT(snprintf(text, sizeof text, "%m") == 25);
  SAME(text, "No such file or directory");
  EXPECT(fprintf(file, "%s %d\n", "line", 1) == 7 && fputs("line 2\n", file) >= 0);
  EXPECT(fputs_unlocked("line 3\n", file) >= 0 && fflush(file) == 0);
  EXPECT(dprintf(fileno(file), "%s", "line 4\n") == 7);
}

static void lines(FILE* file) {
  rewind(file);
  char *line = NULL, buffer[16];
  size_t room = 0;
  EXPECT(getline(&line, &room, file) == 7 && room >= 8);
  SAME(line, "line 1\n");
  EXPECT(getdelim(&line, &room, '2', file) == 6);
  SAME(line, "line 2");
  EXPECT(fgets(buffer, sizeof buffer, file) == buffer && fgets_unlocked(buffer, sizeof buffer, file) == buffer);
  SAME(buffer, "line 3\n");
  int number = 0;
  EXPECT(fscanf(file, "%4s %d", buffer, &number) == 2 && number == 4);
  SAME(buffer, "line");
  EXPECT(fgetc(file) == '\n' && getline(&line, &room, file) == -1 && feof(file));
  free(line);
}

static void scanning(void) {
  int a = 0, b = 0, end = 0;
  short small = 0;
  double real = 0;
  char word[16] = "", set[16] = "", *allocated = NULL;
  wchar_t wide[8] = L"";
  EXPECT(sscanf("12 -3 x", "%d%hd %d", &a, &small, &b) == 2 && a == 12 && small == -3 && b == 0);
  EXPECT(sscanf("1.5word;rest", "%lf%4s;%[a-z]%n", &real, word, set, &end) == 3 && real == 1.5 && end == 12);
  SAME(word, "word");
  SAME(set, "rest");
  EXPECT(sscanf("a b", "%2$s %1$s", word, set) == 2);
  SAME(word, "b");
  EXPECT(sscanf("text", "%ms", &allocated) == 1);
  SAME(allocated, "text");
  free(allocated);
  EXPECT(sscanf("wide", "%ls", wide) == 1);
  SAME_WIDE(wide, L"wide");
  EXPECT(sscanf("", "%d", &a) == EOF && scanned_by("7 8", "%d %d", &a, &b) == 2 && a == 7 && b == 8);
}

static void taking_apart(void) {
  char text[] = ",,one,two", other[] = "a b", parts[] = "x::y", *place = NULL, *rest = parts;
  char *first = strtok(text, ","), *second = strtok(NULL, ",");
  SAME(first, "one");
  SAME(second, "two");
  EXPECT(strtok(NULL, ",") == NULL && strtok(NULL, ",") == NULL);
  SAME(strtok_r(other, " ", &place), "a");
  SAME(strtok_r(NULL, " ", &place), "b");
  EXPECT(strtok_r(NULL, " ", &place) == NULL);
  SAME(strsep(&rest, ":"), "x");
  SAME(strsep(&rest, ":"), "");
  SAME(strsep(&rest, ":"), "y");
  EXPECT(rest == NULL && strsep(&rest, ":") == NULL);
}

static void numbers(void) {
  const char* text = " 42rest";
  char* end = NULL;
  EXPECT(strtol(text, &end, 10) == 42 && end == text + 3 && strtol("0x1f", NULL, 0) == 31);
  EXPECT(strtoul("077", &end, 0) == 63 && *end == 0 && strtoll("-9", NULL, 10) == -9 && strtoull("9", NULL, 10) == 9);
  EXPECT(strtoimax("5", NULL, 10) == 5 && strtoumax("6", NULL, 10) == 6);
  EXPECT(strtod("1.5e2x", &end) == 150 && *end == 'x' && strtof("0.5", NULL) == 0.5F && strtold("2.5", NULL) == 2.5L);
  EXPECT(atoi("12x") == 12 && atol("-7") == -7 && atoll("8") == 8 && atof("1.25") == 1.25);
  errno = 0;
  EXPECT(strtol("99999999999999999999", &end, 10) == INT64_MAX && errno == ERANGE);
  volatile int no_base = 77;
  errno = 0;
  EXPECT(strtol(text, NULL, no_base) == 0 && errno == EINVAL);
  EXPECT(strtol("none", &end, 10) == 0 && *end == 'n');
  wchar_t* wide_end = NULL;
  EXPECT(wcstol(L"12x", &wide_end, 10) == 12 && *wide_end == L'x' && wcstod(L"1.5", NULL) == 1.5);
  EXPECT(wcstoul(L"3", NULL, 10) == 3 && wcstoll(L"4", NULL, 10) == 4 && wcstoull(L"5", NULL, 10) == 5);
  EXPECT(wcstof(L"0.5", NULL) == 0.5F && wcstold(L"2.5", NULL) == 2.5L);
}

static void searches(void) {
  const char* volatile text = "some text";
  char copy[32];
  EXPECT(strspn(text, "emos") == 4 && strcspn(text, " ") == 4 && strpbrk(text, "xt") == text + 5);
  EXPECT(strpbrk(text, "q") == NULL && strcasestr(text, "TEX") == text + 5 && strchrnul(text, 'q') == text + 9);
  EXPECT(strcoll("a", "b") < 0 && strxfrm(copy, "abc", sizeof copy) == 3);
  EXPECT(memmem(text, 9, "text", 4) == text + 5 && memmem(text, 9, "q", 1) == NULL);
  EXPECT(memrchr(text, 't', 9) == text + 8 && memrchr(text, 'q', 9) == NULL && rawmemchr(text, 'x') == text + 7);
  EXPECT(memccpy(copy, text, ' ', sizeof copy) == copy + 5 && memccpy(copy, text, 'q', 4) == NULL);
  EXPECT(stpncpy(copy, "ab", 4) == copy + 2 && stpcpy(copy, "abc") == copy + 3);
}

static void wide_texts(void) {
  wchar_t text[32] = L"", other[32] = L"";
  wchar_t* copy = NULL;
  char narrow[32];
  EXPECT(wcscpy(text, L"text") == text && wcslen(text) == 4 && wcsnlen(text, 2) == 2);
  EXPECT(wcscat(text, L" more") == text && wcsncat(text, L" and more", 4) == text);
  SAME_WIDE(text, L"text more and");
  EXPECT(wcsncpy(other, L"abc", 6) == other && wcpcpy(other + 3, L"de") == other + 5 &&
         wcpncpy(other, L"x", 1) != NULL);
  EXPECT(wcscmp(other, L"xbcde") == 0 && wcsncmp(other, L"xbz", 2) == 0 && wcscoll(other, L"y") < 0);
  EXPECT(wcschr(text, L'm') == text + 5 && wcschr(text, L'q') == NULL && wcsrchr(text, L'a') == text + 10);
  EXPECT(wcsstr(text, L"more") == text + 5 && wmemchr(text, L'e', 4) == text + 1 && wmemcmp(text, L"text", 4) == 0);
  EXPECT(wmemset(other, L'-', 3) == other && wmemcpy(other, L"ab", 2) == other &&
         wmempcpy(other, L"b", 1) == other + 1);
  EXPECT(wmemmove(other + 1, other, 3) == other + 1 && other[1] == L'b' && other[3] == L'-');
  copy = wcsdup(text);
  SAME_WIDE(copy, L"text more and");
  free(copy);
  EXPECT(swprintf(text, 32, L"%d %s %ls", 7, "narrow", L"wide") == 13 && swprintf(text, 4, L"%ls", L"long") < 0);
  EXPECT(mbstowcs(other, "narrow", 32) == 6 && mbstowcs(NULL, "four", 0) == 4 && wcstombs(narrow, L"wide", 32) == 4);
  SAME_WIDE(other, L"narrow");
  SAME(narrow, "wide");
}

static void several_buffers(void) {
  int ends[2];
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  char left[3] = "", right[8] = "";
  struct iovec from[2] = {{"ab", 2}, {"cdef", 4}}, to[2] = {{left, 2}, {right, 7}}, none = {NULL, 5};
  EXPECT(writev(ends[0], from, 2) == 6 && readv(ends[1], to, 2) == 6);
  SAME(left, "ab");
  SAME(right, "cdef");
  struct msghdr out = {.msg_iov = from, .msg_iovlen = 2}, in = {.msg_iov = to, .msg_iovlen = 2};
  EXPECT(sendmsg(ends[0], &out, 0) == 6 && recvmsg(ends[1], &in, 0) == 6);
  EXPECT(writev(-1, from, 2) == -1 && errno == EBADF && writev(ends[0], &none, 1) == -1 && errno == EFAULT);
  struct iovec* volatile bad = (struct iovec*)8;
  EXPECT(readv(ends[0], bad, 1) == -1 && errno == EFAULT);
  close(ends[0]);
  close(ends[1]);
}

static void times(void) {
  time_t now = 0, early = 1000;
  struct tm parts;
  char text[64];
  EXPECT(time(&now) == now && now > 0 && time(NULL) >= now);
  EXPECT(gmtime_r(&early, &parts) == &parts && parts.tm_min == 16 && timegm(&parts) == early);
  EXPECT(localtime_r(&early, &parts) == &parts && mktime(&parts) == early);
  EXPECT(gmtime(&early)->tm_sec == 40 && localtime(&early)->tm_sec == 40);
  gmtime_r(&early, &parts);
  SAME(asctime(&parts), "Thu Jan  1 00:16:40 1970\n");
  SAME(asctime_r(&parts, text), "Thu Jan  1 00:16:40 1970\n");
  EXPECT(strlen(ctime(&early)) == 25 && ctime_r(&early, text) == text);
  EXPECT(strftime(text, sizeof text, "%H:%M", &parts) == 5 && strftime(text, 3, "%H:%M", &parts) == 0);
}

static void check(void) {
  FILE* file = tmpfile();
  printing(file);
  lines(file);
  fclose(file);
  scanning();
  taking_apart();
  numbers();
  searches();
  wide_texts();
  several_buffers();
  times();
}

/// A conversion of the program's own, and one of the standard's that it replaces: both take a number.
static int print_number(FILE* file, const struct printf_info* info, const void* const* arguments) {
  (void)info;
  return fprintf(file, "<%d>", *(const int*)arguments[0]);
}
static int takes_number(const struct printf_info* info, size_t count, int* types, int* sizes) {
  (void)info;
  if (count > 0) {
    types[0] = PA_INT;
    sizes[0] = sizeof(int);
  }
  return 1;
}
static void own_conversions(void) {
  const char* volatile format = "%W %s", * volatile replaced = "%S %s";
  char text[32];
  EXPECT(sprintf(text, format, 7, "text") == 8);
  SAME(text, "<7> text");
  EXPECT(sprintf(text, replaced, 8, "text") == 8);
  SAME(text, "<8> text");
}

int main(void) {
  check();
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    check();
  }
  register_printf_specifier('W', print_number, takes_number);
  register_printf_specifier('S', print_number, takes_number);
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    own_conversions();
  }
  puts(failures == 0 ? "ok" : "wrong");
  return 0;
}
