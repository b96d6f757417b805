# SPDX-License-Identifier: MIT

# Only for C++: nvcc hands the flags to a host compiler that then warns of code which nvcc wrote.
function(etch_warnings target)
  set(flags -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  if(ETCH_WERROR)
    # g++ 12 with optimisation warns of strings that are joined, of any program (its bug 105651).
    list(APPEND flags -Werror $<$<CXX_COMPILER_ID:GNU>:-Wno-error=array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-error=restrict>)
  endif()
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
endfunction()
