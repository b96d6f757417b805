#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/tools/installed.py
What `cmake --install` gives: a package that may be moved, found in the versions that it fits, which says what it lacks. Nothing is compiled."""
import re
import shlex
import shutil
from pathlib import Path

from scratch import ROOT, Scratch

DEVELOPERS = ["-DETCH_TESTS=OFF", "-DETCH_EXAMPLES=OFF", "-DETCH_GPU=OFF", "-DCMAKE_BUILD_TYPE=Release"]
# Components that this machine can have.
WITH_ALL = """REQUIRED)
if(TARGET etch::images AND TARGET etch::thrust)
  find_package(etch REQUIRED COMPONENTS gpu images)
endif("""
# What a caller asks for, options, what the answer has; None: it is found.
ASKED = [("0.1 REQUIRED", [], None), ("0.1.0 REQUIRED", [], None), ("0.1...<0.2 REQUIRED", [], None), ("0.1.9 REQUIRED", [], "version"),
         ("0.2 REQUIRED", [], "version"), ("0.0 REQUIRED", [], "version"), ("1 REQUIRED", [], "version"), (WITH_ALL, [], None),
         ("REQUIRED COMPONENTS images", ["-DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON"], "etch::images needs libjpeg and libpng"),
         ("REQUIRED COMPONENTS gpu", ["-DETCH_THRUST_INCLUDE_DIR="], "etch::gpu needs Thrust"),
         ("REQUIRED COMPONENTS other", [], "etch has no component other"),
         ("REQUIRED", ["-DCMAKE_DISABLE_FIND_PACKAGE_xtensor=ON"], "xtensor")]
# A caller whose variables have plain names.
UNCHANGED = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
set(words system options clang_19 several_build_types component variant version headers)
foreach(name IN LISTS words)
  set(${name} mine)
endforeach()
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_FLAGS -Wall)
add_compile_options(-Wextra)
cmake_language(EVAL CODE "${line}")
get_property(options_of_directory DIRECTORY PROPERTY COMPILE_OPTIONS)
foreach(name IN LISTS words)
  if(NOT ${name} STREQUAL mine)
    message(SEND_ERROR "${name} is ${${name}}")
  endif()
endforeach()
if(NOT "${CMAKE_CXX_STANDARD} ${CMAKE_CXX_FLAGS} ${options_of_directory}" STREQUAL "17 -Wall -Wextra")
  message(SEND_ERROR "${CMAKE_CXX_STANDARD} ${CMAKE_CXX_FLAGS} ${options_of_directory}")
endif()
"""


def main():
    s = Scratch()

    def install(to, *options):
        build = s.folder / "build" / to
        for command in (["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *DEVELOPERS, *options],
                        ["cmake", "--install", build, "--prefix", s.folder / to], ["cmake", "--install", build, "--prefix", s.folder / to]):
            status, output, error = s.call(*command)
            s.expect(f"{command[1]} succeeds", status == 0, output, error)

    def includes(pkgconfig):
        """The folders of headers that pkg-config names."""
        status, output, error = s.call("pkg-config", "--cflags-only-I", "etch", PKG_CONFIG_PATH=str(pkgconfig))
        s.expect("pkg-config finds etch", status == 0, error)
        return [Path(word[2:]) for word in shlex.split(output)]

    install("first")
    (s.folder / "first").rename(s.folder / "moved")
    install("deep", "-DCMAKE_INSTALL_DATADIR=share/of/more", "-DCMAKE_INSTALL_INCLUDEDIR=headers/of/etch")
    absolute = s.folder / "absolute"
    install("other", f"-DCMAKE_INSTALL_INCLUDEDIR={absolute}")
    if shutil.which("pkg-config"):
        for folder in ("moved/share", "deep/share/of/more", "other/share"):
            found = includes(s.folder / folder / "pkgconfig")
            s.expect(f"the flags of {folder} lead to the headers", any((f / "etch/etch.hpp").exists() for f in found), *found)
            s.expect(f"and {folder} has them", all(s.folder in f.parents for f in found), *found)

    for asked, options, wanted in ASKED:
        shutil.rmtree(s.folder / "user", ignore_errors=True)
        s.write("user/CMakeLists.txt", f"cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)\nfind_package(etch {asked})\n")
        status, output, error = s.call("cmake", "-S", "user", "-B", "user/build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={s.folder / 'moved'}",
                                       "-DCMAKE_BUILD_TYPE=Release", *options)
        said = " ".join(error.split())
        s.expect(f"find_package(etch {asked}) {'says ' + wanted if wanted else 'finds it'}", (status == 0) == (not wanted) and (wanted or "") in said,
                 error)

    s.copy("CMakeLists.txt", "LICENSE", "cmake", "include")
    new = ["cmake", "-S", s.folder, "-B", s.folder / "build/new", "-G", "Ninja", *DEVELOPERS]
    s.expect("a copy of the headers and of cmake/ can be installed", s.call(*new)[0] == 0)
    config = s.folder / "include/etch/config.hpp"
    config.write_text(re.sub(r"(ETCH_VERSION_PATCH) \d+", r"\1 77", config.read_text()))
    for command in (["cmake", "--build", s.folder / "build/new"], ["cmake", "--install", s.folder / "build/new", "--prefix", s.folder / "new"]):
        status, output, error = s.call(*command)
        s.expect(f"{command[1]} succeeds with another version", status == 0, output, error)
    installed = (s.folder / "new/share/cmake/etch/etchConfigVersion.cmake").read_text()
    s.expect("what is built again has the version of its headers", re.search(r'PACKAGE_VERSION "\d+\.\d+\.77"', installed), installed[:900])

    shutil.rmtree(s.folder / "user", ignore_errors=True)
    s.write("user/CMakeLists.txt", UNCHANGED)
    for name, line in (("find_package", "find_package(etch REQUIRED)"), ("add_subdirectory", f'add_subdirectory("{s.folder}" etch)')):
        status, output, error = s.call("cmake", "-S", "user", "-B", f"user/{name}", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={s.folder / 'moved'}",
                                       "-DCMAKE_BUILD_TYPE=Release", f"-Dline={line}")
        s.expect(f"{name} changes no variable of its caller", status == 0, error)

    for flags, options, warned in (("", "", True), ("-O0", "", True), ("-Wall -O2", "", False), ("-Oz", "", False), ("-O", "", False),
                                   ("", "add_compile_options(-O3)", False), ("-fno-Oddity", "add_compile_options(-O0 -Wall)", True)):
        shutil.rmtree(s.folder / "user", ignore_errors=True)
        s.write("user/CMakeLists.txt", f"cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)\nset(CMAKE_CXX_FLAGS \"{flags}\")\n"
                f"{options}\nfind_package(etch REQUIRED)\n")
        status, output, error = s.call("cmake", "-S", "user", "-B", "user/build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={s.folder / 'moved'}",
                                       "-DCMAKE_BUILD_TYPE=")
        s.expect(f"{flags!r} and {options!r} are {'' if warned else 'not '}warned of", ("CMAKE_BUILD_TYPE is empty" in error) == warned, error)
    s.end()


if __name__ == "__main__":
    main()
