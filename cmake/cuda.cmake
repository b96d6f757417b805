# SPDX-License-Identifier: MIT
# Sets ETCH_CUDA: whether the gpu tests are compiled with nvcc also.
include(CheckLanguage)

set(ETCH_CUDA OFF)
if(ETCH_GPU)
  # nvcc is often not on the path. Through the environment, since check_language believes in a variable unseen.
  find_package(CUDAToolkit QUIET)
  if(CUDAToolkit_NVCC_EXECUTABLE AND NOT DEFINED ENV{CUDACXX})
    set(ENV{CUDACXX} ${CUDAToolkit_NVCC_EXECUTABLE})
  endif()
  if(ETCH_GPU STREQUAL "AUTO")
    check_language(CUDA)
  endif()
  if(CMAKE_CUDA_COMPILER OR NOT ETCH_GPU STREQUAL "AUTO")
    enable_language(CUDA)
    set(ETCH_CUDA ON)
  endif()
endif()
