# SPDX-License-Identifier: MIT
# Tests headers.nvcc.<folder>: nvcc compiles the headers, through both of its front ends and the host compiler behind them. It
# takes seconds for a file of which most go into starting its passes and into the standard library, so there is one file a
# folder and not one a header. That a header can be included by itself is what headers.alone shows.

if(NOT ETCH_CUDA)
  return()
endif()

set(base ${PROJECT_SOURCE_DIR}/include)
get_target_property(headers etch HEADER_SET)
get_target_property(gpu_headers etch_gpu HEADER_SET)
if(gpu_headers)
  list(APPEND headers ${gpu_headers})
endif()

set(folders "")
foreach(header IN LISTS headers)
  cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${base})
  cmake_path(GET header PARENT_PATH folder)
  string(MAKE_C_IDENTIFIER ${folder} folder)
  string(APPEND text_${folder} "#include <${header}>\n")
  list(APPEND folders ${folder})
endforeach()
list(REMOVE_DUPLICATES folders)

foreach(folder IN LISTS folders)
  set(source ${PROJECT_BINARY_DIR}/headers_nvcc/${folder}.cu)
  file(CONFIGURE OUTPUT ${source} CONTENT "${text_${folder}}" @ONLY)
  string(REGEX REPLACE "^etch_" "" name ${folder})
  add_test(NAME headers.nvcc.${name}
           COMMAND ${CMAKE_CUDA_COMPILER} -std=c++20 -arch=sm_90 -ccbin ${CMAKE_CXX_COMPILER} -c -o ${source}.o -I${base}
                   "-I$<JOIN:$<TARGET_PROPERTY:etch,INTERFACE_INCLUDE_DIRECTORIES>,$<SEMICOLON>-I>" ${source}
           COMMAND_EXPAND_LISTS)
  set_tests_properties(headers.nvcc.${name} PROPERTIES LABELS "headers;nvcc")
endforeach()
