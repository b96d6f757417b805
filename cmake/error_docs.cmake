# SPDX-License-Identifier: MIT
# cmake -D root=<repository> -P error_docs.cmake
#
# docs/errors.md lists every program of tests/errors, with the lines that are wrong and an error of g++ that has what the program promises
# (cmake/check_error.cmake), and no other. Where this fails, tools/update_error_docs writes the list anew.

file(READ ${root}/docs/errors.md docs)
set(faults "")

# cut(<result> <text> <begin> <end>): what stands between them in the text, or "".
function(cut result text begin end)
  set(${result} "" PARENT_SCOPE)
  string(FIND "${text}" "${begin}" from)
  if(NOT from EQUAL -1)
    string(LENGTH "${begin}" length)
    math(EXPR from "${from} + ${length}")
    string(SUBSTRING "${text}" ${from} -1 text)
    string(FIND "${text}" "${end}" to)
    string(SUBSTRING "${text}" 0 ${to} text)
    set(${result} "${text}" PARENT_SCOPE)
  endif()
endfunction()

file(GLOB sources RELATIVE ${root} ${root}/tests/errors/*.cpp)
if(NOT sources)
  message(FATAL_ERROR "no programs in ${root}/tests/errors")
endif()
foreach(source IN LISTS sources)
  cut(section "${docs}" "](../${source})\n" "\n### ")
  if(section STREQUAL "")
    string(APPEND faults "  ${source} is not listed\n")
  endif()
  cut(shown "${section}" "```cpp\n" "\n```")
  cut(quoted "${section}" "\n```\n```\n" "\n```")

  # Lines are cut off one by one: as a CMake list they would fall apart at `;` and `[`.
  file(READ ${root}/${source} program)
  set(wrong "")
  set(rest "\n${program}")
  while(rest MATCHES "\n *([^\n]*[^ \n]) *// wrong(\n.*)")
    set(rest "${CMAKE_MATCH_2}")
    string(APPEND wrong "${CMAKE_MATCH_1}\n")
  endwhile()
  if(wrong STREQUAL "")
    string(APPEND faults "  ${source} marks no line with // wrong\n")
  elseif(section AND NOT wrong STREQUAL "${shown}\n")
    string(APPEND faults "  ${source} has changed: ${wrong}")
  endif()

  set(rest "\n${program}")
  while(rest MATCHES "\n// error(\\(gcc\\))?: ([^\n]+)(\n.*)")
    set(rest "${CMAKE_MATCH_3}")
    set(promise "${CMAKE_MATCH_2}")
    string(FIND "${quoted}" "${promise}" at)
    if(section AND at EQUAL -1)
      string(APPEND faults "  ${source}: what is quoted lacks: ${promise}\n")
    endif()
  endwhile()
endforeach()

set(rest "${docs}")
while(rest MATCHES "\\]\\(\\.\\./(tests/errors/[a-z_0-9]+\\.cpp)\\)(.*)")
  set(rest "${CMAKE_MATCH_2}")
  if(NOT EXISTS ${root}/${CMAKE_MATCH_1})
    string(APPEND faults "  ${CMAKE_MATCH_1} is listed and does not exist\n")
  endif()
endwhile()

if(faults)
  message(FATAL_ERROR "docs/errors.md:\n${faults}")
endif()
