// SPDX-License-Identifier: MIT
#include <csignal>
#include <cstring>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>

#include <etch/summary.hpp>

#include <format/files.hpp>

#include "../session/message_of.hpp"
#include "readers.hpp"

/// Files of events: their bytes, who writes them, and what goes wrong.
namespace {

using etch::summary::file_writer;

TEST_CASE("TB-01: the first record says brain.Event:2; the file's name is one that TensorBoard looks for") {
  const readers::folder folder("first");
  const file_writer writer(folder.path);
  REQUIRE(folder.files() == std::vector<std::filesystem::path>{writer.path()});
  CHECK(folder.files()[0].filename().string().starts_with("events.out.tfevents."));
  const std::string bytes = readers::bytes_of(writer.path());
  // The size and its checksum, the time, step 0, the text, the checksum.
  REQUIRE(bytes.size() == 12 + 9 + 2 + 15 + 4);
  CHECK(bytes.substr(0, 8) == std::string("\x1a\0\0\0\0\0\0\0", 8));
  CHECK(bytes.substr(12, 1) == "\x09");
  CHECK(bytes.substr(21, 17) == std::string("\x10\0\x1a\x0d", 4) + "brain.Event:2");
}

TEST_CASE("TB-02: 100,000 scalars") {
  const readers::folder folder("many");
  std::vector<std::string> expected;
  {
    file_writer writer(folder.path);
    for (int i = 0; i < 100000; ++i) {
      writer.scalar("loss", i, i);
      char line[64];
      std::snprintf(line, sizeof line, "scalar %d loss %.9g", i, static_cast<double>(i));
      expected.push_back(line);
    }
  }
  readers::check_values(folder.path, expected);
}

TEST_CASE("events are in the file after a flush") {
  const readers::folder folder("flush");
  file_writer writer(folder.path);
  writer.scalar("loss", 1, 1);
  const std::size_t before = readers::bytes_of(writer.path()).size();
  writer.flush();
  CHECK(readers::bytes_of(writer.path()).size() > before);
  readers::check_values(folder.path, {"scalar 1 loss 1"});
}

TEST_CASE("events are in the file after 64 KiB, or with one that comes after some seconds") {
  const readers::folder folder("buffer");
  file_writer writer(folder.path / "a");
  const std::size_t before = readers::bytes_of(writer.path()).size();
  writer.text("t", std::string(60000, 'a'), 1);
  CHECK(readers::bytes_of(writer.path()).size() == before);
  writer.text("t", std::string(6000, 'a'), 2);
  CHECK(readers::bytes_of(writer.path()).size() > before + 66000);
  file_writer soon(folder.path / "b", 0.05);
  soon.scalar("loss", 1, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  CHECK(readers::bytes_of(soon.path()).size() == before);
  soon.scalar("loss", 2, 2);
  CHECK(readers::bytes_of(soon.path()).size() > before);
}

TEST_CASE("several threads write one file") {
  const readers::folder folder("threads");
  std::vector<std::string> expected;
  {
    file_writer writer(folder.path);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&writer, t] {
        for (int i = 0; i < 1000; ++i) writer.scalar("thread " + std::to_string(t), i, i);
      });
      for (int i = 0; i < 1000; ++i)
        expected.push_back("scalar " + std::to_string(i) + " thread " + std::to_string(t) + " " + std::to_string(i));
    }
    for (std::thread& t : threads) t.join();
  }
  readers::check_values(folder.path, expected);
}

TEST_CASE("two writers in one folder have files of their own") {
  const readers::folder folder("two");
  {
    file_writer first(folder.path), second(folder.path);
    first.scalar("first", 1, 1);
    second.scalar("second", 2, 2);
    CHECK(first.path() != second.path());
  }
  CHECK(folder.files().size() == 2);
  readers::check_values(folder.path, {"scalar 1 first 1", "scalar 2 second 2"});
}

TEST_CASE("after a fork the child writes a file of its own, and each event is written once") {
  const readers::folder folder("fork");
  {
    file_writer writer(folder.path);
    writer.scalar("before", 1, 1);
    for (int writes = 0; writes < 2; ++writes) {
      const pid_t child = ::fork();
      if (child == 0) {
        {
          file_writer* const inherited = &writer;
          if (writes == 1) inherited->scalar("child", 2, 2);
          inherited->flush();
          inherited->~file_writer();
        }
        ::_exit(0);
      }
      int status = -1;
      ::waitpid(child, &status, 0);
      CHECK(status == 0);
    }
    writer.scalar("after", 3, 3);
  }
  CHECK(folder.files().size() == 2);
  readers::check_values(folder.path, {"scalar 1 before 1", "scalar 2 child 2", "scalar 3 after 3"});
}

TEST_CASE("after a fork a child whose file cannot be made keeps its events, and writes them when it can") {
  const readers::folder folder("fork_without_folder");
  const std::string moved = folder.path.string() + "_moved";
  file_writer writer(folder.path);
  const pid_t child = ::fork();
  if (child == 0) {
    std::filesystem::rename(folder.path, moved);
    int refused = 0;
    for (int i = 0; i < 3; ++i)
      refused += message_of([&] { writer.scalar("loss", 1, i); }).ends_with(": No such file or directory");
    refused += message_of([&] { writer.flush(); }).ends_with(": No such file or directory");
    std::filesystem::rename(moved, folder.path);
    const bool is_written = message_of([&] { writer.scalar("loss", 1, 3); }) == "nothing was thrown";
    ::_exit(refused == 4 && is_written ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(folder.files().size() == 2);
  int events = 0;
  for (const auto& file : folder.files()) {
    const std::string bytes = readers::bytes_of(file);
    for (std::size_t at = 0; (at = bytes.find("loss", at)) != bytes.npos; ++at) ++events;
  }
  CHECK(events == 4);
  readers::check_values(folder.path, {"scalar 0 loss 1", "scalar 1 loss 1", "scalar 2 loss 1", "scalar 3 loss 1"});
}

TEST_CASE("errors name the file") {
  const readers::folder folder("errors");
  std::filesystem::create_directory(folder.path);
  const std::string file = folder.path / "file";
  std::ofstream(file) << "no folder";
  CHECK(message_of([&] { file_writer(file + "/run"); }) == file + "/run: the folder cannot be made: Not a directory");
  CHECK(message_of([&] { file_writer{file}; }).starts_with(file + ": the folder cannot be made: "));
  const files::read_only closed(folder.path);
  CHECK(message_of([&] { file_writer{folder.path}; }).ends_with(": Permission denied"));
}

/// As on a full disk, a write is cut in the middle of a record, and the next one fails.
TEST_CASE("what a full disk does not take is written later, and nothing is lost") {
  const readers::folder folder("full");
  std::vector<std::string> expected;
  int thrown = 0;
  {
    file_writer writer(folder.path);
    rlimit before = {};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto signal_before = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit least = {1000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &least);
    for (int i = 0; i < 3000; ++i) {
      expected.push_back("scalar " + std::to_string(i) + " loss 1");
      const std::string message = message_of([&] { writer.scalar("loss", 1, i); });
      if (message == "nothing was thrown") continue;
      ++thrown;
      if (thrown == 1) CHECK(message == writer.path() + ": " + std::strerror(EFBIG));
    }
    CHECK(message_of([&] { writer.flush(); }) == writer.path() + ": File too large");
    CHECK(readers::bytes_of(writer.path()).size() == 1000);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, signal_before);
    writer.flush();
  }
  CHECK(thrown > 100);
  readers::check_values(folder.path, expected);
}

}  // namespace
