# SPDX-License-Identifier: MIT
# Tests of the headers as files: layers, macros, and that each can be included by itself.

function(etch_header_tests)
  foreach(check layers macros)
    add_test(NAME headers.${check} COMMAND ${CMAKE_COMMAND} -D include=${PROJECT_SOURCE_DIR}/include
                                           -P ${PROJECT_SOURCE_DIR}/cmake/${check}.cmake)
    set_tests_properties(headers.${check} PROPERTIES LABELS headers)
  endforeach()

  # Once is enough for what follows; other compilers see the headers through the tests.
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()

  set_target_properties(etch PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  if(TARGET etch::thrust)
    set_target_properties(etch_gpu PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  endif()
  add_test(NAME headers.alone COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target
                                      all_verify_interface_header_sets)
  # 208 headers take three minutes of a core: tools/check --all.
  set_tests_properties(headers.alone PROPERTIES LABELS "headers;slow" PROCESSORS 2)

  include(${PROJECT_SOURCE_DIR}/cmake/headers_nvcc.cmake)
endfunction()
