// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No OpenMP at all.
int main(void) { return 7; }
