# SPDX-License-Identifier: MIT
# Files of costs that are expected: a line for each program, its name and numbers.

# known_costs(<result> <lines> <name>): the line of that program as a list; "" and an error where there is none.
function(known_costs result lines name)
  list(FILTER lines INCLUDE REGEX "^${name} ")
  if(NOT lines)
    message(SEND_ERROR "${expected} has no line for ${name}: -D update=ON")
  endif()
  string(REPLACE " " ";" lines "${lines}")
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

# write_costs(<file> <title> <lines> <names>): the file anew. Of the programs for which line_<name> is defined that line, of the others the one
# that they have among these lines.
function(write_costs file title lines names)
  set(text "# ${title}\n")
  foreach(name IN LISTS names)
    if(NOT DEFINED line_${name})
      set(line_${name} ${lines})
      list(FILTER line_${name} INCLUDE REGEX "^${name} ")
    endif()
    if(line_${name})
      string(APPEND text "${line_${name}}\n")
    endif()
  endforeach()
  file(WRITE ${file} "${text}")
endfunction()
