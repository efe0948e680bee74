// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the two files of this application share.
long sum_to(long last);
