# SPDX-License-Identifier: MIT
# The gpu tests again, compiled with nvcc. A source has one language in a folder, and here that is C++ already, so nvcc
# gets files that include them.
set(cuda_sources "")
foreach(source IN LISTS sources_gpu)
  cmake_path(GET source STEM name)
  set(cuda_source ${CMAKE_CURRENT_BINARY_DIR}/cuda/${name}.cu)
  file(CONFIGURE OUTPUT ${cuda_source} CONTENT "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${source}\"\n" @ONLY)
  list(APPEND cuda_sources ${cuda_source})
endforeach()

etch_unit_test(test_gpu_cuda gpu ${cuda_sources})
target_link_libraries(test_gpu_cuda PRIVATE etch::gpu)

# A machine may have nvcc and no device; there this tests that the code compiles.
set_tests_properties(test_gpu_cuda PROPERTIES SKIP_REGULAR_EXPRESSION
                                              "no CUDA-capable device;CUDA driver version is insufficient")

etch_nvcc_test(nvcc.error.host_only_op ${CMAKE_CURRENT_SOURCE_DIR}/gpu/host_only_op.cu ${CMAKE_CUDA_COMPILER})
set_tests_properties(nvcc.error.host_only_op PROPERTIES PASS_REGULAR_EXPRESSION
                                                        "error: calling a constexpr __host__ function.*\"kernel\"")
