# SPDX-License-Identifier: MIT
# What nvcc must take, through both of its front ends and the host compiler behind them: one small session on a GPU and one example, in turn,
# in every run of tools/check where there is an nvcc, without CMake's language CUDA, and every example in tools/check --all. They are
# compiled, not run.

# etch_nvcc_test(<name> <source> <nvcc>): the test that nvcc compiles that source.
function(etch_nvcc_test name source nvcc)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/nvcc)
  add_test(NAME ${name}
           COMMAND ${nvcc} -std=c++20 -arch=sm_90 -ccbin ${CMAKE_CXX_COMPILER} -x cu -c -o ${CMAKE_CURRENT_BINARY_DIR}/nvcc/${name}.o
                   "-I$<JOIN:$<TARGET_PROPERTY:etch,INTERFACE_INCLUDE_DIRECTORIES>,$<SEMICOLON>-I>" ${source}
           COMMAND_EXPAND_LISTS)
  set_tests_properties(${name} PROPERTIES LABELS nvcc TIMEOUT 900 COST 70)
endfunction()

# etch_least_nvcc_test(<source>): once a run is enough, with g++ as nvcc's host compiler.
function(etch_least_nvcc_test source)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  find_program(ETCH_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_PATH PATHS /usr/local/cuda /opt/cuda PATH_SUFFIXES bin)
  mark_as_advanced(ETCH_NVCC)
  if(ETCH_NVCC)
    etch_nvcc_test(nvcc.least_session ${source} ${ETCH_NVCC})
    if(ETCH_TURN)
      file(GLOB examples ${PROJECT_SOURCE_DIR}/examples/*.cpp)
      # These take 100 s and more, with nothing beside them: tools/check --all.
      list(FILTER examples EXCLUDE REGEX "/(cnn|18_text_generation)\\.cpp$")
      list(LENGTH examples count)
      etch_slot(slot "an example for nvcc" ${count})
      list(GET examples ${slot} example)
      cmake_path(GET example STEM name)
      etch_nvcc_test(nvcc.${name} ${example} ${ETCH_NVCC})
    endif()
    etch_count(ON "programs for nvcc, which is missing")
  else()
    etch_count(OFF "programs for nvcc, which is missing")
  endif()
endfunction()
