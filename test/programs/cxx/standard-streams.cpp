// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All threads print to the standard streams, which the C++ standard allows, and use strings and streams of their own.
// expect: silent
// builds: driver
// flags: -fno-pie -no-pie
#include <future>
#include <iomanip>
#include <iostream>
#include <locale>
#include <memory>
#include <sstream>
#include <string>

int main() {
  const auto shared = std::make_shared<const std::string>("a text that is too long for the object itself");
  std::size_t length = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : length)
  for (int i = 0; i < 8; ++i) {
    std::cerr << "" << std::flush;
    std::clog << std::setw(0) << "";
    std::cout << std::hex << "" << std::dec << std::flush;
    std::ostringstream out;
    out << std::setw(4) << i << ' ' << 0.5 * i << std::endl;
    std::istringstream in("12 3.5 words");
    int number = 0;
    double value = 0;
    std::string text;
    in >> number >> value >> text;
    const auto copy = shared;
    if (text == "words" && number == 12 && std::locale() == std::locale::classic())
      length += out.str().size() + copy->size();
  }
  auto later = std::async(std::launch::async, [] { std::cout << "" << std::setprecision(3); });
  std::cout << std::setw(0); // another width could make the text above longer
  later.get();
  std::cout << (length != 0 ? "done" : "nothing") << '\n';
}
