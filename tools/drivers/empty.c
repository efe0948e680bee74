// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing: the object that GCC links in place of libtsan's start-up code. Relies on no one calling it.
typedef int fletcher_empty;
