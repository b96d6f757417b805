# SPDX-License-Identifier: MIT
# cmake -D root=<project> -D compiler=<g++ 12> -D folder=<to work in> [-D only=<regular expression of names>] [-D update=ON] -P gimple_cost.cmake
# What the programs of bench/compile give g++ to optimise, as numbers that do not depend on the machine's load: lines of GIMPLE after early
# inlining, of all functions that it looks at, and after fre3, of those that are left once it has inlined all. Optimising them is 0.35 to 0.6
# of what compiling takes. Fails where one is 3 % above tests/compile_cost/expected_gimple.txt; `update` writes that file anew, of
# `only` these lines.
# own_loop: whether g++ still computes a loop of a program's own by vectors, beside what etch has optimised for size.

include(${CMAKE_CURRENT_LIST_DIR}/expected_costs.cmake)

set(expected ${root}/tests/compile_cost/expected_gimple.txt)
set(programs hello train_step transformer own_loop)
set(all_programs ${programs})
if(only)
  list(FILTER programs INCLUDE REGEX "^(${only})$")
  if(NOT programs)
    message(FATAL_ERROR "no program is called ${only}")
  endif()
endif()
list(FIND programs own_loop place)
if(NOT place EQUAL -1)
  list(REMOVE_ITEM programs own_loop)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${compiler} -std=c++20 -O3 -march=x86-64-v3 -fno-math-errno -I${root}/include -S
                          ${root}/bench/compile/own_loop.cpp -o ${folder}/own_loop.s COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS ${folder}/own_loop.s roots REGEX "vsqrtps")
  if(NOT roots)
    message(SEND_ERROR "own_loop: the roots are not computed by vectors: the program is cold to g++")
  endif()
endif()
file(STRINGS ${expected} lines REGEX "^[a-z]")

foreach(program IN LISTS programs)
  set(dumps ${folder}/${program})
  file(REMOVE_RECURSE ${dumps})
  file(MAKE_DIRECTORY ${dumps})
  execute_process(
    COMMAND ${compiler} -std=c++20 -O3 -march=x86-64-v3 -I${root}/include -DETCH_BLOCKS=1 -fdump-tree-einline -fdump-tree-fre3
            -dumpdir ${dumps}/ -S ${root}/bench/compile/${program}.cpp -o ${dumps}/assembly
    COMMAND_ERROR_IS_FATAL ANY)
  set(counts ${program})
  foreach(pass IN ITEMS einline fre3)
    file(GLOB dump ${dumps}/*.${pass})
    file(STRINGS ${dump} statements REGEX "^ .*[;:{}]")
    list(LENGTH statements count)
    list(APPEND counts ${count})
  endforeach()
  file(REMOVE_RECURSE ${dumps})
  list(JOIN counts " " line)
  message(STATUS "${line}")
  if(update)
    set(line_${program} "${line}")
    continue()
  endif()
  known_costs(known "${lines}" ${program})
  if(NOT known)
    continue()
  endif()
  foreach(place IN ITEMS 1 2)
    list(GET known ${place} allowed)
    list(GET counts ${place} count)
    math(EXPR most "${allowed} * 103 / 100")
    if(count GREATER most)
      message(SEND_ERROR "${program}: ${count} lines of GIMPLE, expected ${allowed} and at most 3 % more")
    endif()
  endforeach()
endforeach()
if(update AND programs)
  write_costs(${expected} "program, lines of GIMPLE after einline and after fre3: cmake/gimple_cost.cmake" "${lines}" "${all_programs}")
endif()
