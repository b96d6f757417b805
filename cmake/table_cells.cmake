# SPDX-License-Identifier: MIT
# cmake -D root=<repository> -P table_cells.cmake
#
# Fails where a cell of a table in the documentation has more than 120 bytes: such a table is not read, and its details belong below it.

cmake_minimum_required(VERSION 3.25)

set(longest 120)
set(faults "")
file(GLOB files RELATIVE ${root} ${root}/*.md ${root}/docs/*.md)
if(NOT files)
  message(FATAL_ERROR "no documents in ${root}")
endif()
foreach(file IN LISTS files)
  # Characters that lists of CMake do not keep, and bars that end no cell.
  file(READ ${root}/${file} text)
  string(REPLACE "\\|" "/" text "${text}")
  string(REGEX REPLACE "[][;\\]" "x" text "${text}")
  string(REPLACE "\n" ";" lines "${text}")
  set(number 0)
  set(is_code FALSE)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    if(line MATCHES "^```" AND is_code)
      set(is_code FALSE)
    elseif(line MATCHES "^```")
      set(is_code TRUE)
    elseif(line MATCHES "^\\|" AND NOT is_code)
      string(REPLACE "|" ";" cells "${line}")
      foreach(cell IN LISTS cells)
        string(STRIP "${cell}" cell)
        string(LENGTH "${cell}" length)
        if(length GREATER longest)
          string(APPEND faults "  ${file}:${number}: ${length} bytes\n")
        endif()
      endforeach()
    endif()
  endforeach()
endforeach()

if(faults)
  message(FATAL_ERROR "Cells of more than ${longest} bytes:\n${faults}")
endif()
