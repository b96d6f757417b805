# SPDX-License-Identifier: MIT
# Divides what is compiled among two compilers, in turn: where ETCH_TURN is a commit's ID, a source is compiled by one of them, chosen by
# a hash of its path and of that ID. A commit that fails does so again, and over commits both compilers see all. g++ takes twice as long
# as clang++, and gets an eighth. What may wait is compiled where it, or what it is made of, changed within 20 commits (a push is seldom of
# more; of tests' files, as many as take four minutes); of the rest a part: g++ compiles a sixteenth, and clang++ some. Where git does not
# know which did, as in a shallow clone, half is compiled.
# What a compiler leaves out is counted, and written to left_out.txt in the build folder.

set(ETCH_TURN "" CACHE STRING "A commit's ID: compile only what is this compiler's turn at that commit; empty: compile all")

# etch_slot(<result> <text> <slots>): a number below `slots`, another one at the next commit.
function(etch_slot result text slots)
  string(SHA256 hash "${text} ${ETCH_TURN}")
  string(SUBSTRING ${hash} 0 7 hash)
  math(EXPR slot "0x${hash} % ${slots}")
  set(${result} ${slot} PARENT_SCOPE)
endfunction()

# etch_recent_paths(<result>): the files that differ from those 20 commits ago, and those that git does not know yet; "unknown" where git does
# not know that commit, as in a shallow clone. Also where the project is a folder of a larger repository.
function(etch_recent_paths result)
  set(${result} unknown PARENT_SCOPE)
  find_package(Git QUIET)
  if(NOT GIT_FOUND)
    return()
  endif()
  execute_process(COMMAND ${GIT_EXECUTABLE} diff --relative --name-only HEAD~20 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  RESULT_VARIABLE status OUTPUT_VARIABLE paths ERROR_QUIET)
  execute_process(COMMAND ${GIT_EXECUTABLE} ls-files --others --exclude-standard WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE new ERROR_QUIET)
  if(status EQUAL 0)
    string(REPLACE "\n" ";" paths "${paths}${new}")
    set(${result} "${paths}" PARENT_SCOPE)
  endif()
endfunction()
if(ETCH_TURN)
  etch_recent_paths(etch_recent)
  set(etch_recent_share 16)
  if(etch_recent STREQUAL "unknown")
    set(etch_recent_share 8)
  endif()
endif()

# etch_is_recent(<result> <path> [<pattern> of paths of what it is made of]): whether that source, or what it is made of, changed within 20
# commits, or may have.
function(etch_is_recent result path)
  set(parts "")
  if(ARGC GREATER 2 AND NOT ARGV2 STREQUAL "")
    set(parts "${etch_recent}")
    list(FILTER parts INCLUDE REGEX "${ARGV2}")
  endif()
  set(${result} OFF PARENT_SCOPE)
  if(etch_recent STREQUAL "unknown" OR path IN_LIST etch_recent OR parts)
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()

# etch_share_recent(<files>): of what is recent, so many files of tests among it, as many are compiled as 24, which take about 480 s of a
# processor.
macro(etch_share_recent files)
  if(ETCH_TURN AND NOT etch_recent STREQUAL "unknown" AND ${files} GREATER 24)
    math(EXPR etch_recent_share "(16 * 24 + ${files} - 1) / ${files}")
  endif()
endmacro()

# etch_count(<is compiled> <kind>): one more of these, in the count that left_out.txt shows.
function(etch_count compiled kind)
  set_property(GLOBAL APPEND PROPERTY etch_kinds "${kind}")
  if(compiled)
    set_property(GLOBAL APPEND PROPERTY "etch_compiled_${kind}" x)
  endif()
  set_property(GLOBAL APPEND PROPERTY "etch_all_${kind}" x)
endfunction()

# etch_turn(<result> <kind> <path> [MAY_WAIT <sixteenths>] [PARTS <pattern>] [ONLY_BY_GNU]): whether this compiler compiles that source. The
# sixteenths: how much of what may wait does not. The pattern: paths of what it is made of. ONLY_BY_GNU: g++ has clang++'s turns, too.
function(etch_turn result kind path)
  cmake_parse_arguments(PARSE_ARGV 3 arg "ONLY_BY_GNU" "MAY_WAIT;PARTS" "")
  set(mine ON)
  if(ETCH_TURN)
    etch_slot(slot "${path}" 16)
    set(slots 16)
    if(DEFINED arg_MAY_WAIT)
      set(slots ${arg_MAY_WAIT})
      etch_is_recent(recent ${path} "${arg_PARTS}")
      if(recent AND slots LESS etch_recent_share)
        set(slots ${etch_recent_share})
      endif()
      set(by_either OFF)
      if(slot LESS slots)
        set(by_either ON)
      endif()
      etch_count(${by_either} "${kind} that may wait (compiled by neither)")
    endif()
    # The first slots are g++'s.
    set(first_of_clang 1)
    if(arg_ONLY_BY_GNU)
      set(first_of_clang 16)
    elseif(slots EQUAL 16)
      set(first_of_clang 2)
    endif()
    if((slot LESS first_of_clang AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
       OR (NOT slot LESS first_of_clang AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU") OR NOT slot LESS slots)
      set(mine OFF)
    endif()
  endif()
  etch_count(${mine} "${kind}")
  set(${result} ${mine} PARENT_SCOPE)
endfunction()

# etch_included(<result> <source>): the files below this folder that this one includes, and those that they do.
function(etch_included result source)
  set(found "")
  set(pending ${source})
  while(pending)
    list(POP_FRONT pending path)
    cmake_path(GET path PARENT_PATH folder)
    file(STRINGS ${path} names REGEX "^#include [\"<]")
    foreach(name IN LISTS names)
      string(REGEX REPLACE "^#include [\"<]([^\">]*).*" "\\1" name "${name}")
      set(beside ${folder}/${name})
      cmake_path(NORMAL_PATH beside)
      if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${beside})
        set(name ${beside})
      endif()
      set(file ${CMAKE_CURRENT_SOURCE_DIR}/${name})
      # <random> is a header of the standard library, and a folder of tests.
      if(NOT name IN_LIST found AND EXISTS ${file} AND NOT IS_DIRECTORY ${file})
        list(APPEND found ${name})
        list(APPEND pending ${name})
      endif()
    endforeach()
  endwhile()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Writes left_out.txt: a line for each kind of which something is left out.
function(etch_write_left_out)
  get_property(kinds GLOBAL PROPERTY etch_kinds)
  list(REMOVE_DUPLICATES kinds)
  set(lines "")
  foreach(kind IN LISTS kinds)
    get_property(compiled GLOBAL PROPERTY "etch_compiled_${kind}")
    get_property(all GLOBAL PROPERTY "etch_all_${kind}")
    list(LENGTH compiled compiled)
    list(LENGTH all all)
    math(EXPR left_out "${all} - ${compiled}")
    if(left_out)
      string(APPEND lines "${left_out} of ${all} ${kind}\n")
    endif()
  endforeach()
  file(WRITE ${PROJECT_BINARY_DIR}/left_out.txt "${lines}")
endfunction()
