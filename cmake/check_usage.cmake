# SPDX-License-Identifier: MIT
# cmake -D program=... -D arguments=... -P check_usage.cmake: the program must refuse its arguments with what it is used for and
# status 2, and at once.
separate_arguments(arguments UNIX_COMMAND "${arguments}")
execute_process(COMMAND ${program} ${arguments} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE error TIMEOUT 20)
cmake_path(GET program FILENAME name)
if(NOT status EQUAL 2 OR NOT output STREQUAL "" OR NOT error MATCHES "${name}")
  message(FATAL_ERROR "${program} ${arguments}: status ${status}\n${output}${error}")
endif()
