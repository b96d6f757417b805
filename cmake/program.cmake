# SPDX-License-Identifier: MIT
# Tests, examples and benchmarks are compiled alike.

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(ETCH_CCACHE ccache)
  mark_as_advanced(ETCH_CCACHE)
  if(ETCH_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${ETCH_CCACHE})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${ETCH_CCACHE})
  endif()
endif()

function(etch_program target)
  target_link_libraries(${target} PRIVATE etch::etch)
  etch_warnings(${target})
  if(ETCH_ARCH)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-march=${ETCH_ARCH}>)
  endif()
endfunction()
