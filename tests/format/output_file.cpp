// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <vector>

#include <sys/resource.h>

#include <etch/format/output_file.hpp>
#include <format/files.hpp>

using etch::format::output_file;

TEST_CASE("an output file has its name when it is whole, and else nothing changes") {
  const files::folder folder("output");
  files::write(folder / "a", "before");
  {
    output_file file(folder / "a");
    file.write("half of");
  }
  CHECK(files::read(folder / "a") == "before");
  CHECK(!std::filesystem::exists(folder / "a.unfinished"));
  files::write(folder / "a.unfinished", "what a killed program left, which is longer");
  const std::string large(200'000, 'x');
  {
    output_file file(folder / "a");
    file.write("begin ");
    file.write(large);
    file.write(" end");
    CHECK(file.size() == 200'010);
    CHECK(files::read(folder / "a") == "before");
    CHECK(files::error_of([&] { output_file other(folder / "a"); }) ==
          (folder / "a").string() + ": it is being written by another program or thread");
    file.commit();
  }
  CHECK(files::read(folder / "a") == "begin " + large + " end");
  CHECK(!std::filesystem::exists(folder / "a.unfinished"));
}

TEST_CASE("errors of an output file name it and the cause") {
  const files::folder folder("output_errors");
  CHECK(files::error_of([&] { output_file file(folder / "none" / "a"); }) ==
        (folder / "none" / "a").string() + ": it cannot be written: No such file or directory");
  {
    const files::read_only closed(folder.path());
    CHECK(files::error_of([&] { output_file file(folder / "a"); }) ==
          (folder / "a").string() + ": it cannot be written: Permission denied");
  }
  std::filesystem::create_directory(folder / "folder");
  CHECK(files::error_of([&] { output_file(folder / "folder").commit(); }) ==
        (folder / "folder").string() + ": it cannot be written: Is a directory");
  // A limit stands for a full disk: write() fails half way.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small = {100'000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = files::error_of([&] {
    output_file file(folder / "a");
    file.write(std::string(200'000, 'x'));
    file.commit();
  });
  ::setrlimit(RLIMIT_FSIZE, &before);
  CHECK(error == (folder / "a").string() + ": it cannot be written: File too large");
  CHECK(!std::filesystem::exists(folder / "a"));
  CHECK(!std::filesystem::exists(folder / "a.unfinished"));
}
