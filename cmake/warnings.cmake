# SPDX-License-Identifier: MIT

# Only for C++: nvcc hands the flags to a host compiler that then warns of code which nvcc wrote.
function(etch_warnings target)
  set(flags -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  if(ETCH_WERROR)
    list(APPEND flags -Werror)
  endif()
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
endfunction()
