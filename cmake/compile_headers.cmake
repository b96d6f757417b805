# SPDX-License-Identifier: MIT
# cmake -D compiler=... -D include=... -D headers=<file> -P compile_headers.cmake: each header that the file names, one a line, can be
# included by itself.
file(STRINGS ${headers} names)
set(source ${headers}.cpp)
set(failed "")
foreach(name IN LISTS names)
  file(WRITE ${source} "#include <${name}>\n")
  execute_process(COMMAND ${compiler} -std=c++20 -fsyntax-only -DETCH_UNOPTIMISED -I${include} ${source} RESULT_VARIABLE status
                  ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    string(APPEND failed "${name}:\n${errors}\n")
  endif()
endforeach()
if(failed)
  message(FATAL_ERROR "${failed}")
endif()
