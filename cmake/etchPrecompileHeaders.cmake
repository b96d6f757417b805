# SPDX-License-Identifier: MIT
# etch_precompile_headers(<target>): <etch/etch.hpp> is precompiled for the C++ sources of the target, so that to compile one of
# them again is to compile what it says itself. Included wherever etch comes from: add_subdirectory, FetchContent, find_package.
function(etch_precompile_headers target)
  # Of C++ only: a header without this would be precompiled for the target's C sources, too.
  target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:<etch/etch.hpp$<ANGLE-R>>")
endfunction()
