# SPDX-License-Identifier: MIT
# The targets etch::containers and, where Thrust is found, etch::thrust. Installed beside etchConfig.cmake, so that an
# installed etch asks the consumer's machine, and not the one it was built on. No variable of the consumer is changed.

block(SCOPE_FOR VARIABLES)
get_property(several_build_types GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
get_directory_property(options COMPILE_OPTIONS)
if(NOT CMAKE_BUILD_TYPE AND NOT several_build_types AND NOT "${CMAKE_CXX_FLAGS};${options}" MATCHES "(^|[ ;])-O([1-9gsz]|fast)?([ ;]|$)")
  message(WARNING "etch: CMAKE_BUILD_TYPE is empty, so programs are compiled without optimisation, and etch's kernels take some hundred times "
                  "as long. -DCMAKE_BUILD_TYPE=Release")
endif()

if(NOT TARGET etch::containers)
  add_library(etch::containers INTERFACE IMPORTED GLOBAL)
  target_link_libraries(etch::containers INTERFACE xtensor xsimd)
  # xtensor before 0.26 is ambiguous under the rule for template template arguments that clang 19 made its default. The
  # flag that brings the old rule back is deprecated, and says so at every call.
  if(xtensor_VERSION VERSION_LESS 0.26)
    set(clang_19 "$<COMPILE_LANG_AND_ID:CXX,Clang>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,19>")
    target_compile_options(
      etch::containers
      INTERFACE $<$<AND:${clang_19}>:-fno-relaxed-template-template-args>
                $<$<AND:${clang_19}>:-Wno-deprecated-no-relaxed-template-template-args>)
  endif()
endif()

# Thrust as a plain C++ compiler needs it. Nothing is added under nvcc, which brings the Thrust of its own version.
# That one is preferred here too, lest a program meet two versions.
if(NOT TARGET etch::thrust)
  find_package(CUDAToolkit QUIET)
  find_path(ETCH_THRUST_INCLUDE_DIR thrust/version.h HINTS ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES cccl)
  mark_as_advanced(ETCH_THRUST_INCLUDE_DIR)
  if(ETCH_THRUST_INCLUDE_DIR)
    find_package(OpenMP QUIET COMPONENTS CXX GLOBAL)
    if(TARGET OpenMP::OpenMP_CXX)
      set(system OMP)
    else()
      set(system CPP)
    endif()
    set(ETCH_THRUST_SYSTEM ${system} CACHE STRING "Thrust's device when a plain C++ compiler compiles it: OMP or CPP")
    set_property(CACHE ETCH_THRUST_SYSTEM PROPERTY STRINGS OMP CPP)

    add_library(etch::thrust INTERFACE IMPORTED GLOBAL)
    target_include_directories(etch::thrust SYSTEM INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${ETCH_THRUST_INCLUDE_DIR}>)
    target_compile_definitions(
      etch::thrust
      INTERFACE $<$<COMPILE_LANGUAGE:CXX>:THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_${ETCH_THRUST_SYSTEM}>)
    if(ETCH_THRUST_SYSTEM STREQUAL OMP)
      target_link_libraries(etch::thrust INTERFACE OpenMP::OpenMP_CXX)
    endif()
  endif()
endif()
endblock()
