// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>

/// The programs that files are exchanged with: Python packages in build/clients, made by tools/clients.
namespace client {

inline std::string python() {
  const char* named = std::getenv("ETCH_CLIENTS");
  return std::string(named != nullptr ? named : "../build/clients") + "/bin/python";
}

/// Whether they are there; else a message says what is skipped.
inline bool is_there(const char* package) {
  const std::string has = python() + " -c 'import importlib.util as u, sys; sys.exit(u.find_spec(\"" + package + "\") is None)'";
  const bool found = std::filesystem::exists(python()) && std::system(has.c_str()) == 0;
  if (!found) MESSAGE("skipped: no Python package ", std::string(package), " in build/clients; tools/clients makes it");
  return found;
}

/// Whether tests/format/clients/`script` with these arguments ends with status 0.
inline bool run(const char* script, std::initializer_list<std::string> arguments) {
  std::string command = "TF_CPP_MIN_LOG_LEVEL=3 " + python() + " format/clients/" + script;
  for (const std::string& a : arguments) command += " '" + a + "'";
  return std::system(command.c_str()) == 0;
}

}  // namespace client
