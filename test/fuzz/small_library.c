// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ELF file of a few kilobytes with a function and a variable.
int variable;
int function(void) { return variable; }
