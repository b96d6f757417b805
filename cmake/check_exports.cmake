# SPDX-License-Identifier: MIT
# cmake -D nm=<nm> -D library=<shared library> -D name=<symbol> -P check_exports.cmake
# Fails unless the library defines that one symbol for others, and no other.
execute_process(COMMAND ${nm} --dynamic --defined-only ${library} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${symbols}" symbols)
if(NOT symbols MATCHES "^[0-9a-f]+ T ${name}$")
  message(FATAL_ERROR "${library} defines for others:\n${symbols}")
endif()
