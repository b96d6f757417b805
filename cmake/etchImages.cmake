# SPDX-License-Identifier: MIT
# The target etch::images, where libjpeg(-turbo) and libpng are found: what <etch/image.hpp> reads and writes files with, compiled once in a
# project that links it, and by nobody else. Included wherever etch comes from: add_subdirectory, FetchContent, find_package.
if(NOT TARGET etch_images)
  find_package(JPEG QUIET GLOBAL)
  find_package(PNG QUIET GLOBAL)
  if(TARGET JPEG::JPEG AND TARGET PNG::PNG)
    add_library(etch_images STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/etchImages.cpp)
    add_library(etch::images ALIAS etch_images)
    # Into shared libraries also. Images are decoded in the time of a training, also where that is being debugged.
    set_target_properties(etch_images PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(etch_images PRIVATE $<$<CONFIG:Debug>:-O1>)
    target_link_libraries(etch_images PUBLIC etch::etch PRIVATE JPEG::JPEG PNG::PNG)
  endif()
endif()
