// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A method creates tasks that work on the object's fields.
// Racy: it returns without waiting, and the caller reads a field.
#include <cstdio>

class Account {
public:
  explicit Account(int balance) : balance_(balance) {}

  void pay_interest() {
#pragma omp task
    balance_ += balance_ / 10; // RACE(1)
  }
  int balance() const {
    return balance_; // RACE(1)
  }

private:
  int balance_;
};

int main() {
  Account account(100);
  int seen = 0;
#pragma omp parallel
#pragma omp single
  {
    account.pay_interest();
    seen = account.balance();
  }
  std::printf("balance = %d\n", account.balance());
  return account.balance() == 110 && seen >= 100 ? 0 : 1;
}
