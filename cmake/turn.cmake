# SPDX-License-Identifier: MIT
# Divides what is compiled among two compilers, in turn: where ETCH_TURN is a commit's ID, a source is compiled by one of them, chosen by
# a hash of its path and of that ID. A commit that fails does so again, and over commits both compilers see all. g++ takes twice as long
# as clang++, and gets a quarter. What is left to the other is counted, and written to left_out.txt in the build folder.

set(ETCH_TURN "" CACHE STRING "A commit's ID: compile only what is this compiler's turn at that commit; empty: compile all")

# etch_slot(<result> <text> <slots>): a number below `slots`, another one at the next commit.
function(etch_slot result text slots)
  string(SHA256 hash "${text} ${ETCH_TURN}")
  string(SUBSTRING ${hash} 0 7 hash)
  math(EXPR slot "0x${hash} % ${slots}")
  set(${result} ${slot} PARENT_SCOPE)
endfunction()

# etch_count(<is compiled> <kind>): one more of these, in the count that left_out.txt shows.
function(etch_count compiled kind)
  set_property(GLOBAL APPEND PROPERTY etch_kinds "${kind}")
  if(compiled)
    set_property(GLOBAL APPEND PROPERTY "etch_compiled_${kind}" x)
  endif()
  set_property(GLOBAL APPEND PROPERTY "etch_all_${kind}" x)
endfunction()

# etch_turn(<result> <kind> <path>): whether this compiler compiles that source.
function(etch_turn result kind path)
  set(mine ON)
  if(ETCH_TURN)
    etch_slot(slot "${path}" 4)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      set(slots 0)
    else()
      set(slots 1 2 3)
    endif()
    if(NOT slot IN_LIST slots)
      set(mine OFF)
    endif()
  endif()
  etch_count(${mine} "${kind}")
  set(${result} ${mine} PARENT_SCOPE)
endfunction()

# Writes left_out.txt: a line for each kind of which something is left out.
function(etch_write_left_out)
  get_property(kinds GLOBAL PROPERTY etch_kinds)
  list(REMOVE_DUPLICATES kinds)
  set(lines "")
  foreach(kind IN LISTS kinds)
    get_property(compiled GLOBAL PROPERTY "etch_compiled_${kind}")
    get_property(all GLOBAL PROPERTY "etch_all_${kind}")
    list(LENGTH compiled compiled)
    list(LENGTH all all)
    math(EXPR left_out "${all} - ${compiled}")
    if(left_out)
      string(APPEND lines "${left_out} of ${all} ${kind}\n")
    endif()
  endforeach()
  file(WRITE ${PROJECT_BINARY_DIR}/left_out.txt "${lines}")
endfunction()
