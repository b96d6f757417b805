# SPDX-License-Identifier: MIT
# cmake -D nm=... -D program=... -D name=... -P check_names.cmake: some function of the program must have that in its name, as docs say of
# what a debugger shows.
execute_process(COMMAND ${nm} -C ${program} OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(FIND "${names}" "${name}" place)
if(place LESS 0)
  message(FATAL_ERROR "${program} has no function with ${name} in its name")
endif()
