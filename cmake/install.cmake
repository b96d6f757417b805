# SPDX-License-Identifier: MIT
# `cmake --install`: headers, the CMake package and the pkg-config file. All of it is the same on every architecture.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/etch)

install(TARGETS etch etch_gpu EXPORT etchTargets FILE_SET HEADERS)
install(EXPORT etchTargets NAMESPACE etch:: DESTINATION ${package_dir})

configure_package_config_file(cmake/etchConfig.cmake.in etchConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a new minor version may break what the last one had.
write_basic_package_version_file(etchConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/etchConfig.cmake ${PROJECT_BINARY_DIR}/etchConfigVersion.cmake
              cmake/etchDependencies.cmake cmake/etchImages.cmake cmake/etchImages.cpp cmake/etchPrecompileHeaders.cmake
              cmake/etchSharedCode.cpp
              DESTINATION ${package_dir})

# From where the file lies, so that what is installed may be moved; not where a folder is an absolute one.
set(etch_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}" AND NOT IS_ABSOLUTE "${CMAKE_INSTALL_DATADIR}")
  file(RELATIVE_PATH path ${CMAKE_INSTALL_FULL_DATADIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
  set(etch_includedir "\${pcfiledir}/${path}")
endif()
string(REPLACE " " "\\ " etch_includedir "${etch_includedir}")
configure_file(cmake/etch.pc.in etch.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/etch.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
