# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the manual page of FLETCHER_OPTIONS of what `fletcher options` lists, so that both say the same.
# cmake -DFLETCHER=program -DTEMPLATE=file -DOUTPUT=file -P options_page.cmake
execute_process(COMMAND ${FLETCHER} options OUTPUT_VARIABLE options COMMAND_ERROR_IS_FATAL ANY)
string(FIND "${options}" "\n" end_of_heading)
string(SUBSTRING "${options}" ${end_of_heading} -1 options)
string(REPLACE "-" "\\-" options "${options}")
string(REGEX REPLACE "\n  ([a-z_]+)=([^ ]+) +" "\n.TP\n\\\\fB\\1\\\\fR=\\\\fI\\2\\\\fR\n" options "${options}")
string(STRIP "${options}" options)
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
