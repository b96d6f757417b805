# SPDX-License-Identifier: MIT
# Tests alone.<share>: each op and function in a program of its own (tests/alone/calls.txt, cmake/compile_alone.cmake).
#
# Where ETCH_TURN is a commit's ID (cmake/turn.cmake), clang++ alone compiles them, in half of g++'s time, and of them
# - what a line of a header of include/etch/ops or include/etch/nn names that changed within 20 commits, comments aside;
# - of the others one in eight, by a hash of the line and of the commit.
# Where git does not know which did, all are compiled.

# etch_recent_ops(<result>): what differs in the headers of ops from those 20 commits ago, or is new: lines, and the function or class around them.
function(etch_recent_ops result)
  set(text "")
  if(ETCH_TURN AND NOT etch_recent STREQUAL "unknown")
    execute_process(COMMAND ${GIT_EXECUTABLE} diff --unified=0 HEAD~20 -- include/etch/ops include/etch/nn
                    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE text)
    execute_process(COMMAND ${GIT_EXECUTABLE} ls-files --others --exclude-standard -- include/etch/ops include/etch/nn
                    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE new)
    string(REGEX MATCHALL "[^\n]+" new "${new}")
    foreach(header IN LISTS new)
      file(READ ${PROJECT_SOURCE_DIR}/${header} more)
      string(APPEND text "${more}")
    endforeach()
    # No names of files, and no comments.
    string(REGEX REPLACE "\n(diff|index|---|\\+\\+\\+) [^\n]*" "" text "\n${text}")
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# etch_chosen_calls(<path>): writes there the lines of calls.txt that are compiled in this run.
function(etch_chosen_calls path)
  file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/alone/calls.txt lines REGEX "^(value|gradient) ")
  etch_recent_ops(recent)
  set(chosen "")
  foreach(line IN LISTS lines)
    set(compiled ON)
    if(ETCH_TURN AND NOT etch_recent STREQUAL "unknown")
      etch_slot(slot "${line}" 8)
      # What stands in front of a bracket; `fed` and letters are in quotes or no calls.
      string(REGEX MATCHALL "[a-z_0-9]+[(<]" names "${line}")
      string(REGEX REPLACE "[(<]" "" names "${names}")
      list(REMOVE_ITEM names x y axis shape section)
      list(JOIN names "|" names)
      if(slot GREATER 0 AND NOT recent MATCHES "[^a-z_0-9](${names})[^a-z_0-9]")
        set(compiled OFF)
      endif()
    endif()
    etch_count(${compiled} "ops alone")
    if(compiled)
      string(APPEND chosen "${line}\n")
    endif()
  endforeach()
  file(WRITE ${path} "${chosen}")
endfunction()

function(etch_alone_tests)
  add_test(NAME alone.complete COMMAND ${CMAKE_COMMAND} -D root=${PROJECT_SOURCE_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/compile_alone.cmake)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/alone)
  set(compile ${CMAKE_COMMAND} -D root=${PROJECT_SOURCE_DIR} -D calls=${folder}/calls.txt)
  set(alone ${compile} -D compiler=${CMAKE_CXX_COMPILER} -D id=${CMAKE_CXX_COMPILER_ID}
      -D flags=${CMAKE_CURRENT_BINARY_DIR}/error_flags_etch.CXX -D folder=${folder})
  # Error programs need it, too.
  add_test(NAME alone.precompile COMMAND ${alone} -D share=-1 -P ${PROJECT_SOURCE_DIR}/cmake/compile_alone.cmake)
  set_tests_properties(alone.precompile PROPERTIES FIXTURES_SETUP precompiled)
  if(ETCH_TURN AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()

  etch_chosen_calls(${folder}/calls.txt)
  set(shares 8)
  # nvcc: tools/check --all.
  if(ETCH_CUDA)
    file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/alone_nvcc_flags CONTENT "-std=c++20;-I${PROJECT_SOURCE_DIR}/include")
    set(alone_nvcc ${compile} -D compiler=${CMAKE_CUDA_COMPILER} -D id=NVIDIA -D flags=${CMAKE_CURRENT_BINARY_DIR}/alone_nvcc_flags
        -D folder=${CMAKE_CURRENT_BINARY_DIR}/alone_nvcc)
  endif()
  foreach(share RANGE 1 ${shares})
    math(EXPR share "${share} - 1")
    set(one_share -D shares=${shares} -D share=${share} -P ${PROJECT_SOURCE_DIR}/cmake/compile_alone.cmake)
    add_test(NAME alone.${share} COMMAND ${alone} ${one_share})
    set_tests_properties(alone.${share} PROPERTIES LABELS alone FIXTURES_REQUIRED precompiled TIMEOUT 600)
    if(ETCH_CUDA)
      add_test(NAME alone.nvcc.${share} COMMAND ${alone_nvcc} ${one_share})
      set_tests_properties(alone.nvcc.${share} PROPERTIES LABELS "slow;nvcc" TIMEOUT 1200)
    endif()
  endforeach()
endfunction()
