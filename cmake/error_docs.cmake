# SPDX-License-Identifier: MIT
# cmake -D root=<repository> -P error_docs.cmake
#
# docs/errors.md lists every program of tests/errors, with the line that is wrong, and no other. Where this fails,
# tools/update_error_docs writes the list anew.

file(READ ${root}/docs/errors.md docs)
set(faults "")

file(GLOB sources RELATIVE ${root} ${root}/tests/errors/*.cpp)
foreach(source IN LISTS sources)
  string(FIND "${docs}" "](../${source})" at)
  if(at EQUAL -1)
    string(APPEND faults "  ${source} is not listed\n")
  endif()

  file(READ ${root}/${source} program)
  if(NOT program MATCHES "\n *([^\n]*[^ \n]) *// wrong\n")
    string(APPEND faults "  ${source} marks no line with // wrong\n")
    continue()
  endif()
  string(FIND "${docs}" "\n${CMAKE_MATCH_1}\n" at)
  if(at EQUAL -1)
    string(APPEND faults "  ${source} has changed: ${CMAKE_MATCH_1}\n")
  endif()
endforeach()

set(rest "${docs}")
while(rest MATCHES "\\]\\(\\.\\./(tests/errors/[a-z_]+\\.cpp)\\)(.*)")
  set(rest "${CMAKE_MATCH_2}")
  if(NOT EXISTS ${root}/${CMAKE_MATCH_1})
    string(APPEND faults "  ${CMAKE_MATCH_1} is listed and does not exist\n")
  endif()
endwhile()

if(faults)
  message(FATAL_ERROR "docs/errors.md:\n${faults}")
endif()
