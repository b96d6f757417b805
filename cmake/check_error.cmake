# SPDX-License-Identifier: MIT
# cmake -D compiler= -D id= -D flags= -D source= -D accept= [-D precompiled=<folder of etch.hpp>] -P check_error.cmake
#
# Compiles `source`. With `accept` that must succeed. Without, it must fail with one line that has `error:`, since one
# mistake is one error. That line must have every text that `source` promises in lines like these:
#
#   // error: text
#   // error(gcc): text for g++ only
#   // error(clang): text for clang++ only
#
# It may ask for a flag of a compiler by a line `// flags(gcc): flag`.

# Messages are compared, so they must not be translated, and quotes must be plain.
set(ENV{LC_ALL} C)

if(id MATCHES "Clang")
  set(this clang)
else()
  set(this gcc)
endif()

file(READ "${flags}" options)
file(STRINGS "${source}" more REGEX "^// flags\\(${this}\\): ")
string(REGEX REPLACE "^// flags[^:]*: " "" more "${more}")
list(APPEND options ${more})
# What a program defines before it includes etch is not in there, and what it says not to include is.
file(STRINGS "${source}" defines REGEX "^(#define |// headers: no others)")
if(defines)
  set(precompiled "")
endif()
if(precompiled AND id MATCHES "Clang")
  list(PREPEND options -include-pch ${precompiled}/etch.pch)
elseif(precompiled)
  list(PREPEND options -include ${precompiled}/etch.hpp)
endif()
execute_process(
  COMMAND ${compiler} ${options} -fsyntax-only -fdiagnostics-color=never ${source}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)

if(accept)
  if(NOT status EQUAL 0)
    message(NOTICE "${output}")
    message(FATAL_ERROR "must be accepted")
  endif()
  return()
endif()

if(status EQUAL 0)
  message(FATAL_ERROR "must be refused")
endif()
string(REGEX MATCH "[^\n]*error:[^\n]*" first "${output}")

# Lines are cut off one by one: as a CMake list they would fall apart at `;` and `[`.
file(READ "${source}" rest)
set(rest "\n${rest}\n")
set(promises 0)
while(rest MATCHES "\n// error(\\(([a-z]+)\\))?: ([^\n]+)\n")
  set(line "${CMAKE_MATCH_0}")
  set(for "${CMAKE_MATCH_2}")
  set(promise "${CMAKE_MATCH_3}")

  string(FIND "${rest}" "${line}" at)
  string(LENGTH "${line}" length)
  math(EXPR at "${at} + ${length} - 1")
  string(SUBSTRING "${rest}" ${at} -1 rest)

  if(for STREQUAL "" OR for STREQUAL this)
    math(EXPR promises "${promises} + 1")
    string(FIND "${first}" "${promise}" at)
    if(at EQUAL -1)
      message(NOTICE "${output}\nfirst error: ${first}\npromised:    ${promise}")
      message(FATAL_ERROR "does not keep its promise")
    endif()
  endif()
endwhile()

string(REPLACE "error:" "" rest "${output}")
string(LENGTH "${output}" errors)
string(LENGTH "${rest}" length)
math(EXPR errors "(${errors} - ${length}) / 6")
if(NOT errors EQUAL 1)
  message(NOTICE "${output}")
  message(FATAL_ERROR "gives ${errors} errors, must give one")
endif()

if(promises EQUAL 0)
  message(NOTICE "first error: ${first}")
  message(FATAL_ERROR "promises nothing for ${this}")
endif()
