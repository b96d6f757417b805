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
  # A header takes a second of a core, there are 580: tools/check --all. In turn those that changed within 20 commits, and one in 64.
  set_tests_properties(headers.alone PROPERTIES LABELS "headers;slow" PROCESSORS 2)
  if(ETCH_TURN)
    file(GLOB_RECURSE all RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include/*.hpp)
    list(FILTER all EXCLUDE REGEX "gpu|codecs")
    set(chosen "")
    foreach(header IN LISTS all)
      etch_slot(slot ${header} 64)
      if(slot EQUAL 0 OR header IN_LIST etch_recent)
        string(REGEX REPLACE "^include/" "" header ${header})
        string(APPEND chosen "${header}\n")
      endif()
    endforeach()
    file(WRITE ${PROJECT_BINARY_DIR}/recent_headers.txt "${chosen}")
    add_test(NAME headers.recent_alone
             COMMAND ${CMAKE_COMMAND} -D compiler=${CMAKE_CXX_COMPILER} -D include=${PROJECT_SOURCE_DIR}/include
                     -D headers=${PROJECT_BINARY_DIR}/recent_headers.txt -P ${PROJECT_SOURCE_DIR}/cmake/compile_headers.cmake)
    set_tests_properties(headers.recent_alone PROPERTIES LABELS headers)
  endif()

  include(${PROJECT_SOURCE_DIR}/cmake/headers_nvcc.cmake)
endfunction()
