# SPDX-License-Identifier: MIT
# cmake -D include=<folder> -P macros.cmake
#
# Macros know no namespaces, so every one that a header defines or undefines begins with ETCH_.
set(faults "")
get_filename_component(include ${include} ABSOLUTE)
file(GLOB_RECURSE headers RELATIVE ${include} ${include}/etch/*)
if(NOT headers)
  message(FATAL_ERROR "no headers in ${include}/etch")
endif()
foreach(header IN LISTS headers)
  file(READ ${include}/${header} text)
  string(PREPEND text "\n")
  string(REGEX MATCHALL "\n[ \t]*#[ \t]*(define|undef)[ \t]+[A-Za-z0-9_]+" lines "${text}")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "[ \t]ETCH_[A-Z0-9_]+$")
      string(STRIP "${line}" line)
      string(APPEND faults "  ${header}: ${line}\n")
    endif()
  endforeach()
endforeach()

if(faults)
  message(FATAL_ERROR "macros that do not begin with ETCH_:\n${faults}")
endif()
