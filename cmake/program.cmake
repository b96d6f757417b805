# SPDX-License-Identifier: MIT
# Tests, examples and benchmarks are compiled alike.

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(ETCH_CCACHE ccache)
  mark_as_advanced(ETCH_CCACHE)
  if(ETCH_CCACHE)
    # What ccache asks for where headers are precompiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ETCH_CCACHE})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${ETCH_CCACHE})
    add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>
                        "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()

function(etch_program target)
  target_link_libraries(${target} PRIVATE etch::etch)
  etch_warnings(${target})
  # Of -march=native on CPUs with AVX10, once for each function: docs/flags.md.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^19\\.")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-invalid-feature-combination>)
  endif()
  if(ETCH_ARCH)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-march=${ETCH_ARCH}>)
  endif()
endfunction()
