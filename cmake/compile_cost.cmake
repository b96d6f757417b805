# SPDX-License-Identifier: MIT
# cmake -D root=<project> -D compiler=<clang++> [-D only=<regular expression of names>] [-D large=ON] [-D update=ON] -P compile_cost.cmake
# What the programs of bench/compile cost the compiler, as numbers that do not depend on the machine's load: template
# specialisations of classes, function declarations (both over the empty main) and the most constexpr steps of one
# evaluation. Fails where one is 3 % above tests/compile_cost/expected.txt; `update` writes that file anew, of `only` these lines.
# A loop of 1,000 steps costs what one of 16 does, and 12 repeated blocks what 2 do.
# `large`: a transformer of 247 and of 1,955 nodes (expected_large.txt), complete, since a session computes constants beside the stages of
# a plan. The most steps of an evaluation of the larger are then at most 1.2 times as many for each node.

include(${CMAKE_CURRENT_LIST_DIR}/expected_costs.cmake)

set(sources ${root}/bench/compile)
set(expected ${root}/tests/compile_cost/expected.txt)
set(programs "hello|hello.cpp" "train_step|train_step.cpp" "chain_1000|chain.cpp -DETCH_SHARED=0 -DETCH_LENGTH=1000"
             "chain_1000_shared|chain.cpp -DETCH_SHARED=1 -DETCH_LENGTH=1000"
             "scan_of_16|gru.cpp -DETCH_SCAN -DETCH_STEPS=16" "scan_of_1000|gru.cpp -DETCH_SCAN -DETCH_STEPS=1000"
             "gru_and_lstm|gru_and_lstm.cpp" "transformer_of_8|transformer.cpp -DETCH_BLOCKS=8"
             "repeat_of_2|transformer.cpp -DETCH_REPEAT -DETCH_BLOCKS=2" "repeat_of_12|transformer.cpp -DETCH_REPEAT -DETCH_BLOCKS=12")

if(large)
  set(expected ${root}/tests/compile_cost/expected_large.txt)
  set(programs "transformer_247|transformer.cpp -DETCH_BLOCKS=1"
               "transformer_1955|transformer.cpp -DETCH_BLOCKS=8")
endif()

set(all_programs ${programs})
if(only)
  list(FILTER programs INCLUDE REGEX "^(${only})\\|")
  if(NOT programs)
    message(FATAL_ERROR "no program is called ${only}")
  endif()
endif()

# compile(<result> <program> <constexpr steps>): "<specialisations>;<functions>", or "failed".
function(compile result program steps)
  string(REGEX REPLACE "^[^|]*\\|" "" arguments "${program}")
  separate_arguments(arguments)
  list(POP_FRONT arguments source)
  execute_process(
    COMMAND ${compiler} -std=c++20 -march=x86-64-v3 -I${root}/include -fsyntax-only -Xclang -print-stats
            -fconstexpr-steps=${steps} ${arguments} ${sources}/${source}
    ERROR_VARIABLE output RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    set(${result} failed PARENT_SCOPE)
    set(output "${output}" PARENT_SCOPE)
    return()
  endif()
  string(REGEX MATCH "([0-9]+) ClassTemplateSpecialization decls" matched "${output}")
  set(counts ${CMAKE_MATCH_1})
  string(REGEX MATCH "([0-9]+) Function decls" matched "${output}")
  set(functions ${CMAKE_MATCH_1})
  string(REGEX MATCH "([0-9]+) CXXMethod decls" matched "${output}")
  math(EXPR functions "${functions} + ${CMAKE_MATCH_1}")
  set(${result} "${counts};${functions}" PARENT_SCOPE)
endfunction()

set(most_steps 1048576)  # what clang allows unless told
compile(empty "empty|empty.cpp" ${most_steps})
if(empty STREQUAL "failed")
  message(FATAL_ERROR "an empty program does not compile:\n${output}")
endif()
list(GET empty 0 empty_specialisations)
list(GET empty 1 empty_functions)

file(STRINGS ${expected} lines REGEX "^[a-z]")
foreach(program IN LISTS programs)
  string(REGEX REPLACE "\\|.*" "" name "${program}")
  set(limit ${most_steps})
  if(NOT update)
    known_costs(known "${lines}" ${name})
    if(NOT known)
      continue()
    endif()
    list(GET known 3 steps)
    math(EXPR limit "${steps} * 103 / 100")
  endif()
  compile(counts "${program}" ${limit})
  if(counts STREQUAL "failed")
    message(SEND_ERROR "${name} does not compile within ${limit} constexpr steps an evaluation:\n${output}")
    continue()
  endif()
  list(GET counts 0 specialisations)
  list(GET counts 1 functions)
  math(EXPR specialisations "${specialisations} - ${empty_specialisations}")
  math(EXPR functions "${functions} - ${empty_functions}")
  if(update)
    set(low 0)
    set(high ${most_steps})
    math(EXPR gap "${high} - ${low}")
    while(gap GREATER 1024)
      math(EXPR middle "(${low} + ${high}) / 2")
      compile(tried "${program}" ${middle})
      if(tried STREQUAL "failed")
        set(low ${middle})
      else()
        set(high ${middle})
      endif()
      math(EXPR gap "${high} - ${low}")
    endwhile()
    set(line_${name} "${name} ${specialisations} ${functions} ${high}")
    continue()
  endif()
  message(STATUS "${name}: ${specialisations} specialisations, ${functions} functions")
  foreach(what IN ITEMS specialisations functions)
    if(what STREQUAL specialisations)
      list(GET known 1 allowed)
    else()
      list(GET known 2 allowed)
    endif()
    math(EXPR most "${allowed} * 103 / 100")
    if(${what} GREATER most)
      message(SEND_ERROR "${name}: ${${what}} ${what}, expected ${allowed} and at most 3 % more")
    endif()
  endforeach()
endforeach()
if(update)
  list(TRANSFORM all_programs REPLACE "\\|.*" "")
  write_costs(${expected} "program, class template specialisations, functions, constexpr steps: cmake/compile_cost.cmake" "${lines}"
              "${all_programs}")
endif()

# The figures of `expected` are those of this compiler within 3 %, since the programs compiled.
if(large)
  file(STRINGS ${expected} lines REGEX "^[a-z]")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^transformer_([0-9]+) [0-9]+ [0-9]+ ([0-9]+)$" matched "${line}")
    math(EXPR per_1000_nodes "${CMAKE_MATCH_2} * 1000 / ${CMAKE_MATCH_1}")
    list(APPEND figures ${per_1000_nodes})
  endforeach()
  list(GET figures 0 few)
  list(GET figures 1 many)
  message(STATUS "steps for 1,000 nodes: ${few} of 247, ${many} of 1,955")
  math(EXPR most "${few} * 120 / 100")
  if(many GREATER most)
    message(SEND_ERROR "an evaluation takes ${many} steps for 1,000 nodes in the larger graph, ${few} in the smaller")
  endif()
endif()
