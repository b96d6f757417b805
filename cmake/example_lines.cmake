# SPDX-License-Identifier: MIT
# cmake -D root=<repository> -P example_lines.cmake
#
# Fails where one of the examples that show a whole program in short has 80 lines or more.

cmake_minimum_required(VERSION 3.25)

set(limit 80)
set(faults "")
foreach(name IN ITEMS 15_* 16_* 17_* 18_* cats_vs_dogs)
  file(GLOB files RELATIVE ${root} ${root}/examples/${name}.cpp)
  if(NOT files)
    string(APPEND faults "  examples/${name}.cpp: no programs in ${root}\n")
  endif()
  foreach(file IN LISTS files)
    # Lines as bytes that end one: lists of CMake do not keep semicolons, brackets and empty lines.
    file(READ ${root}/${file} text)
    string(REGEX REPLACE "[^\n]" "" ends "${text}")
    string(LENGTH "${ends}" lines)
    if(NOT text MATCHES "\n$")
      math(EXPR lines "${lines} + 1")
    endif()
    if(NOT lines LESS limit)
      string(APPEND faults "  ${file}: ${lines} lines\n")
    endif()
  endforeach()
endforeach()

if(faults)
  message(FATAL_ERROR "Examples of ${limit} lines or more:\n${faults}")
endif()
