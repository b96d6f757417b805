# SPDX-License-Identifier: MIT
# etch_precompile_headers(<target>): etch is precompiled for the C++ sources of the target, and what is the same for all plans is
# compiled in a source of its own, which the target gets: to compile a model again is to compile what it says itself. Included
# wherever etch comes from: add_subdirectory, FetchContent, find_package.
function(etch_precompile_headers target)
  # Of C++ only: a header without this would be precompiled for the target's C sources, too.
  target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:<etch/precompiled.hpp$<ANGLE-R>>")
  set(shared_code ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/etchSharedCode.cpp)
  target_sources(${target} PRIVATE ${shared_code})
  set_source_files_properties(${shared_code} TARGET_DIRECTORY ${target}
                              PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
