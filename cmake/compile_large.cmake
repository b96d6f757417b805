# SPDX-License-Identifier: MIT
# cmake -D root=<project> -D compiler= -D program=<of bench/compile> -D definition=<as ETCH_SIZE=500> -D folder=<to work in>
#       -P compile_large.cmake
# Compiles a program of that definition, the most that must be possible, with no flag but the language's, and runs it: the compiler's
# default limits are enough.

file(MAKE_DIRECTORY ${folder})
set(made ${folder}/${program})
execute_process(COMMAND ${compiler} -std=c++20 -O0 -I${root}/include -D${definition} ${root}/bench/compile/${program}.cpp -o ${made}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${made} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${program} of ${definition}: ${status}")
endif()
