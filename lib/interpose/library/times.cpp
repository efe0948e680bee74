// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of dates and times as accesses of the instrumented code that calls them. localtime and its like give back
// memory of libc's that the next call writes again: the program then reads it, so it is the memory that is reported.

#include "lib/interpose/text/text_accesses.hpp"

#include <ctime>

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::texts;

namespace {

using Time = std::time_t;
using Parts = std::tm;

constinit Real<Time(Time*) noexcept> real_time{"time"};
constinit Real<Parts*(const Time*) noexcept> real_localtime{"localtime"}, real_gmtime{"gmtime"};
constinit Real<Parts*(const Time*, Parts*) noexcept> real_localtime_r{"localtime_r"}, real_gmtime_r{"gmtime_r"};
constinit Real<char*(const Time*) noexcept> real_ctime{"ctime"};
constinit Real<char*(const Time*, char*) noexcept> real_ctime_r{"ctime_r"};
constinit Real<char*(const Parts*) noexcept> real_asctime{"asctime"};
constinit Real<char*(const Parts*, char*) noexcept> real_asctime_r{"asctime_r"};
constinit Real<Time(Parts*) noexcept> real_mktime{"mktime"}, real_timegm{"timegm"};
constinit Real<Size(char*, Size, const char*, const Parts*) noexcept> real_strftime{"strftime"};
constinit Real<int(clockid_t, timespec*) noexcept> real_clock_gettime{"clock_gettime"};
constinit Real<int(timeval*, void*) noexcept> real_gettimeofday{"gettimeofday"};

// What each function accesses, by its result.
void tells(Thread& thread, Address pc, Time, Time* time) {
  if (time != nullptr) writes(thread, time, sizeof *time, pc);
}
void splits(Thread& thread, Address pc, const Parts* parts, const Time* time) {
  reads(thread, time, sizeof *time, pc);
  if (parts != nullptr) writes(thread, parts, sizeof *parts, pc);
}
void splits_into(Thread& thread, Address pc, const Parts* parts, const Time* time, Parts*) {
  splits(thread, pc, parts, time);
}
template <class From> void names(Thread& thread, Address pc, char* text, const From* from) {
  if (text == nullptr) return;
  reads(thread, from, sizeof *from, pc);
  writes(thread, text, extent(text), pc);
}
template <class From> void names_into(Thread& thread, Address pc, char* text, const From* from, char*) {
  names(thread, pc, text, from);
}
void joins(Thread& thread, Address pc, Time, Parts* parts) { writes(thread, parts, sizeof *parts, pc); }
void formats(Thread& thread, Address pc, Size length, char* text, Size, const char*, const Parts* parts) {
  reads(thread, parts, sizeof *parts, pc);
  if (length != 0) writes(thread, text, length + 1, pc);
}
void reads_clock(Thread& thread, Address pc, int error, clockid_t, timespec* time) {
  if (error == 0) writes(thread, time, sizeof *time, pc);
}
void reads_day(Thread& thread, Address pc, int error, timeval* time, void*) {
  if (error == 0 && time != nullptr) writes(thread, time, sizeof *time, pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Time time(Time* result) noexcept { return with_results<tells, real_time>(caller(), result); }
Parts* localtime(const Time* time) noexcept { return with_results<splits, real_localtime>(caller(), time); }
Parts* gmtime(const Time* time) noexcept { return with_results<splits, real_gmtime>(caller(), time); }
Parts* localtime_r(const Time* time, Parts* parts) noexcept {
  return with_results<splits_into, real_localtime_r>(caller(), time, parts);
}
Parts* gmtime_r(const Time* time, Parts* parts) noexcept {
  return with_results<splits_into, real_gmtime_r>(caller(), time, parts);
}
char* ctime(const Time* time) noexcept { return with_results<names<Time>, real_ctime>(caller(), time); }
char* ctime_r(const Time* time, char* text) noexcept {
  return with_results<names_into<Time>, real_ctime_r>(caller(), time, text);
}
char* asctime(const Parts* parts) noexcept { return with_results<names<Parts>, real_asctime>(caller(), parts); }
char* asctime_r(const Parts* parts, char* text) noexcept {
  return with_results<names_into<Parts>, real_asctime_r>(caller(), parts, text);
}
Time mktime(Parts* parts) noexcept { return with_results<joins, real_mktime>(caller(), parts); }
Time timegm(Parts* parts) noexcept { return with_results<joins, real_timegm>(caller(), parts); }
int clock_gettime(clockid_t clock, timespec* time) noexcept {
  // AddressSanitizer's free, which dlsym calls, asks for the time.
  if (looking_up()) [[unlikely]]
    return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  return with_results<reads_clock, real_clock_gettime>(caller(), clock, time);
}
int gettimeofday(timeval* time, void* zone) noexcept {
  return with_results<reads_day, real_gettimeofday>(caller(), time, zone);
}
Size strftime(char* text, Size room, const char* format, const Parts* parts) noexcept {
  return with_results<formats, real_strftime>(caller(), text, room, format, parts);
}

} // extern "C"
#pragma GCC visibility pop
