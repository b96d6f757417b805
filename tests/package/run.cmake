# SPDX-License-Identifier: MIT
# cmake -D source= -D binary= -D prefix= -D generator= -D compiler= -D version= -P run.cmake
# Configures, builds and runs the project in `source`, which must print the version of etch. Where it has a program with
# precompiled headers, or one that reads images, that is run too. Not optimised, which takes longer; package.example is.

file(REMOVE_RECURSE ${binary})
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${source} -B ${binary} -G ${generator} -D CMAKE_CXX_COMPILER=${compiler}
          -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_BUILD_TYPE=Debug COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${binary} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${binary}/consumer OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output STREQUAL "${version}\n")
  message(FATAL_ERROR "printed ${output}, expected ${version}")
endif()
foreach(program IN ITEMS precompiled images)
  if(EXISTS ${binary}/${program})
    execute_process(COMMAND ${binary}/${program} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
