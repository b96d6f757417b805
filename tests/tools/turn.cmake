# SPDX-License-Identifier: MIT
# cmake -D PROJECT_SOURCE_DIR= -D ETCH_TURN= -D CMAKE_CXX_COMPILER_ID= -P turn.cmake
# Prints what cmake/turn.cmake says, for turn.py: of the files of `sources` which are recent and whose turn it is, and what `including` includes.
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/turn.cmake)
foreach(source IN LISTS sources)
  etch_is_recent(recent ${source})
  etch_turn(always kind ${source})
  etch_turn(waiting kind ${source} MAY_WAIT 3)
  etch_turn(gnu kind ${source} MAY_WAIT 3 ONLY_BY_GNU)
  message(NOTICE "${source} ${recent} ${always} ${waiting} ${gnu}")
endforeach()
if(including)
  etch_included(included ${including})
  message(NOTICE "${included}")
endif()
