# SPDX-License-Identifier: MIT
# Error messages are tested: every errors/*.cpp must be refused with what its `// error:` lines promise on the first
# error line, every errors/ok/*.cpp must be accepted. See check_error.cmake. docs/errors.md lists them all.

# etch_compile_fail_tests(<folder> <target> [<precompiled>]): the programs of a folder, compiled as what links to `target` is;
# with etch.hpp precompiled in that folder by the tests' fixture of that name.
function(etch_compile_fail_tests folder target)
  set(precompiled "${ARGV2}")
  # Lists inside of a test's command line do not survive, so the flags travel in a file, one for each language.
  set(flags ${CMAKE_CURRENT_BINARY_DIR}/error_flags_${target})
  set(includes "$<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>")
  set(options "$<TARGET_PROPERTY:${target},INTERFACE_COMPILE_OPTIONS>")
  set(definitions "$<TARGET_PROPERTY:${target},INTERFACE_COMPILE_DEFINITIONS>")
  string(CONCAT content "${CMAKE_CXX20_STANDARD_COMPILE_OPTION};-I$<JOIN:${includes},;-I>;${options}"
                        "$<$<BOOL:${definitions}>:;-D$<JOIN:${definitions},;-D>>")
  file(GENERATE OUTPUT ${flags}.$<COMPILE_LANGUAGE> CONTENT "${content}")

  file(GLOB refused CONFIGURE_DEPENDS ${folder}/*.cpp)
  file(GLOB accepted CONFIGURE_DEPENDS ${folder}/ok/*.cpp)
  foreach(source IN LISTS refused accepted)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    etch_turn(mine "error programs" ${path} MAY_WAIT 3)
    if(NOT mine)
      continue()
    endif()
    cmake_path(GET source STEM name)
    set(accept OFF)
    if(source IN_LIST accepted)
      set(accept ON)
      string(PREPEND name "ok.")
    endif()
    add_test(NAME error.${name}
             COMMAND ${CMAKE_COMMAND} -D compiler=${CMAKE_CXX_COMPILER} -D id=${CMAKE_CXX_COMPILER_ID} -D flags=${flags}.CXX
                     -D source=${source} -D accept=${accept} -D precompiled=${precompiled}
                     -P ${PROJECT_SOURCE_DIR}/cmake/check_error.cmake)
    set_tests_properties(error.${name} PROPERTIES LABELS error)
    if(precompiled)
      set_tests_properties(error.${name} PROPERTIES FIXTURES_REQUIRED precompiled)
    endif()
  endforeach()
endfunction()
