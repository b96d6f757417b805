// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <set>

#include <base/decimal_comma.hpp>
#include <etch/checkpoint.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;

std::set<std::string> names_in(const files::folder& folder) {
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder.path())) names.insert(file.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("CKPT-04, CKPT-10, AT-19: a manager keeps the last ones, by the program's numbers") {
  const files::folder folder("manager_keeps");
  int step = 0;
  checkpoint c;
  c.track("step", step);
  CHECK(!latest_checkpoint(folder.path()));
  {
    checkpoint_manager manager(c, folder.path(), {.max_to_keep = 3});
    CHECK(!manager.latest());
    CHECK(!manager.restore_latest());
    for (step = 100; step <= 1100; step += 100) CHECK(manager.save(step) == folder / ("ckpt-" + std::to_string(step)));
    CHECK(manager.latest() == folder / "ckpt-1100");
    CHECK(manager.checkpoints() ==
          std::vector<std::filesystem::path>{folder / "ckpt-900", folder / "ckpt-1000", folder / "ckpt-1100"});
  }
  std::set<std::string> expected = {"checkpoint"};
  for (const char* name : {"ckpt-900", "ckpt-1000", "ckpt-1100"})
    for (const char* end : {".index", ".data-00000-of-00001"}) expected.insert(std::string(name) + end);
  CHECK(names_in(folder) == expected);
  CHECK(files::read(folder / "checkpoint")
            .starts_with("model_checkpoint_path: \"ckpt-1100\"\n"
                         "all_model_checkpoint_paths: \"ckpt-900\"\n"
                         "all_model_checkpoint_paths: \"ckpt-1000\"\n"
                         "all_model_checkpoint_paths: \"ckpt-1100\"\n"
                         "all_model_checkpoint_timestamps: "));
  CHECK(latest_checkpoint(folder.path()) == folder / "ckpt-1100");
  c.restore(folder / "ckpt-900");
  CHECK(step == 900);
  // Another program goes on.
  checkpoint_manager manager(c, folder.path(), {.max_to_keep = 2});
  CHECK(manager.restore_latest() == folder / "ckpt-1100");
  CHECK(step == 1100);
  CHECK(c.saves() == 11);
  CHECK(manager.save() == folder / "ckpt-1101");
  CHECK(manager.checkpoints() == std::vector<std::filesystem::path>{folder / "ckpt-1100", folder / "ckpt-1101"});
  // The same number again.
  step = 7;
  manager.save(1101);
  CHECK(manager.checkpoints().size() == 2);
  step = 0;
  manager.restore_latest();
  CHECK(step == 7);
}

TEST_CASE("CKPT-03, CKPT-06, AT-18: numbers begin with 1, and the tenth is behind the ninth") {
  const files::folder folder("manager_numbers");
  int value = 0;
  checkpoint c;
  c.track("value", value);
  for (const char* extension : {"", ".safetensors", ".npz"}) {
    checkpoint_manager manager(c, folder / "save", {.max_to_keep = 0, .name = "model.ckpt", .extension = extension});
    const std::int64_t before = static_cast<std::int64_t>(manager.checkpoints().size());
    for (value = 1; value <= 10; ++value) manager.save();
    const auto latest = folder / "save" / ("model.ckpt-" + std::to_string(before + 10) + extension);
    CHECK(latest_checkpoint(folder / "save") == latest);
    CHECK(manager.checkpoints().size() == static_cast<std::size_t>(before) + 10);
    c.restore(*latest_checkpoint(folder / "save"));
    CHECK(value == 10);
  }
}

TEST_CASE("one of each so many hours is kept for good") {
  const files::folder folder("manager_hours");
  int value = 0;
  checkpoint c;
  c.track("value", value);
  {
    checkpoint_manager(c, folder.path(), {.max_to_keep = 2}).save(1);
  }
  // As if the first were of three hours ago, and none were kept since an hour and a half before: the first is kept, then the second.
  std::string state = files::read(folder / "checkpoint");
  const auto set_back = [&](const std::string& line, double hours) {
    const std::size_t at = state.find(line) + line.size();
    const double time = std::stod(state.substr(at));
    state.replace(at, state.find('\n', at) - at, std::to_string(time - hours * 3600));
  };
  set_back("all_model_checkpoint_timestamps: ", 3);
  set_back("last_preserved_timestamp: ", 4.5);
  files::write(folder / "checkpoint", state);
  checkpoint_manager manager(c, folder.path(), {.max_to_keep = 2, .keep_every_hours = 1});
  for (int i = 2; i <= 6; ++i) manager.save();
  CHECK(manager.checkpoints() == std::vector<std::filesystem::path>{folder / "ckpt-5", folder / "ckpt-6"});
  CHECK(names_in(folder) == std::set<std::string>{"checkpoint", "ckpt-1.index", "ckpt-1.data-00000-of-00001", "ckpt-2.index",
                                                  "ckpt-2.data-00000-of-00001", "ckpt-5.index", "ckpt-5.data-00000-of-00001",
                                                  "ckpt-6.index", "ckpt-6.data-00000-of-00001"});
}

TEST_CASE("CKPT-06: a program whose language has a decimal comma writes and reads the same state file") {
  const decimal_comma comma;
  if (!comma) return;
  const files::folder folder("manager_comma");
  int value = 7;
  checkpoint c;
  c.track("value", value);
  {
    checkpoint_manager(c, folder.path()).save();
  }
  CHECK(files::read(folder / "checkpoint").find(',') == std::string::npos);
  value = 0;
  CHECK(checkpoint_manager(c, folder.path()).restore_latest() == folder / "ckpt-1");
  CHECK(value == 7);
  // As TensorFlow writes it: what was saved half an hour ago is the first to stay, and then none for an hour.
  const auto now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  const std::string seconds = std::to_string(static_cast<std::int64_t>(now) - 1800);
  files::write(folder / "checkpoint",
               "model_checkpoint_path: \"ckpt-1\"\nall_model_checkpoint_paths: \"ckpt-1\"\n"
               "all_model_checkpoint_timestamps: " +
                   seconds + ".25\nlast_preserved_timestamp: 1.5e+09\n");
  checkpoint_manager manager(c, folder.path(), {.max_to_keep = 1, .keep_every_hours = 1});
  for (int i = 2; i <= 3; ++i) manager.save();
  CHECK(names_in(folder) == std::set<std::string>{"checkpoint", "ckpt-1.index", "ckpt-1.data-00000-of-00001", "ckpt-3.index",
                                                  "ckpt-3.data-00000-of-00001"});
}

TEST_CASE("what a killed program left is finished by the next one") {
  const files::folder folder("manager_left");
  int value = 0;
  checkpoint c;
  c.track("value", value);
  {
    checkpoint_manager manager(c, folder.path(), {.max_to_keep = 3});
    for (value = 1; value <= 3; ++value) manager.save();
  }
  files::write(folder / "ckpt-4.index.unfinished", "half");
  files::write(folder / "ckpt-4.data-00000-of-00001.unfinished", "half");
  std::filesystem::remove(folder / "ckpt-1.index");  // of one that was being deleted
  {
    checkpoint_manager manager(c, folder.path(), {.max_to_keep = 3});
    CHECK(manager.checkpoints().size() == 2);
    CHECK(names_in(folder) == std::set<std::string>{"checkpoint", "ckpt-2.index", "ckpt-2.data-00000-of-00001", "ckpt-3.index",
                                                    "ckpt-3.data-00000-of-00001"});
  }
  // The newest is gone: the one before it is the latest.
  std::filesystem::remove(folder / "ckpt-3.index");
  CHECK(latest_checkpoint(folder.path()) == folder / "ckpt-2");
  checkpoint_manager manager(c, folder.path());
  CHECK(manager.restore_latest() == folder / "ckpt-2");
  CHECK(value == 2);
}

TEST_CASE("names with quotes and what is no ASCII, other lines, and what cannot be") {
  const files::folder folder("manager_names");
  int value = 3;
  checkpoint c;
  c.track("value", value);
  const std::string name = "a \"b\" \\ \u00e9\n";
  {
    checkpoint_manager(c, folder.path(), {.name = name}).save();
  }
  CHECK(files::read(folder / "checkpoint").starts_with(R"(model_checkpoint_path: "a \"b\" \\ \303\251\012-1")"));
  CHECK(latest_checkpoint(folder.path()) == folder / (name + "-1"));
  CHECK(files::error_of([&] { checkpoint_manager(c, folder.path(), {.name = "a/b"}); }) ==
        "checkpoint_manager: \"a/b\" is no name of files");
  CHECK(files::error_of([&] { checkpoint_manager(c, folder.path(), {.max_to_keep = -1}); }) ==
        "checkpoint_manager: max_to_keep is -1");
  files::write(folder / "file", "");
  CHECK(files::error_of([&] { checkpoint_manager(c, folder / "file" / "in"); }) ==
        (folder / "file" / "in").string() + ": Not a directory");
  const std::string state = (folder / "checkpoint").string();
  const auto error = [&](const char* text) {
    files::write(state, text);
    return files::error_of([&] { latest_checkpoint(folder.path()); });
  };
  CHECK(error("") == "");
  CHECK(error("other: 1.5e3\nmore: 'x'") == state + ": at byte 19: this is no number");
  CHECK(error("other: -1.5e+3\nmore: 1,5") == state + ": at byte 22: a line is a name, a colon and a value");
  CHECK(error("other: 1.5.1") == state + ": at byte 7: this is no number");
  CHECK(error("model_checkpoint_path: 1") == state + ": at byte 23: a path stands in quotes");
  CHECK(error("model_checkpoint_path: \"a") == state + ": at byte 25: a text does not end");
  CHECK(error("model_checkpoint_path: \"a\nb\"") == state + ": at byte 25: a text does not end");
  CHECK(error("model_checkpoint_path \"a\"") == state + ": at byte 22: a line is a name, a colon and a value");
  CHECK(error("model_checkpoint_path: \"\\9\"") == state + ": at byte 25: this is no escape");
}

TEST_CASE("a damaged state file is an error with its name, or names no checkpoint that is not there") {
  const files::folder folder("manager_damaged");
  int value = 3;
  checkpoint c;
  c.track("value", value);
  {
    checkpoint_manager manager(c, folder.path());
    for (int i = 0; i < 3; ++i) manager.save();
  }
  const std::string whole = files::read(folder / "checkpoint");
  std::mt19937 random(1);
  for (std::size_t i = 0, all = whole.size() + static_cast<std::size_t>(files::mutations()); i < all; ++i) {
    std::string changed = whole.substr(0, std::min(i, whole.size()));
    if (i >= whole.size()) changed[random() % whole.size()] = static_cast<char>(random());
    files::write(folder / "checkpoint", changed);
    const std::string error = files::error_of([&] {
      const auto latest = latest_checkpoint(folder.path());
      if (latest) c.restore(*latest);
    });
    CHECK((error.empty() || error.starts_with((folder / "checkpoint").string() + ": at byte ")));
  }
}
