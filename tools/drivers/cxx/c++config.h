// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Found in front of libstdc++'s own configuration. The library holds instances of its templates of strings and streams;
// here the program has instances of its own, so that the compiler instruments what they do to the program's memory.
// -DFLETCHER_KEEP_EXTERN_TEMPLATES leaves it at the library's.
#include_next <bits/c++config.h>
#ifndef FLETCHER_KEEP_EXTERN_TEMPLATES
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
