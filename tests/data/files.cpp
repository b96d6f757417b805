// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/data/cache_file.hpp>
#include <etch/data/files.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;

/// Paths behind the folder.
template <class Dataset>
std::string joined(Dataset&& d, const files::folder& folder) {
  std::string text;
  for (std::string path : d) text += path.substr(folder.path().string().size() + 1) + ",";
  return text;
}

}  // namespace

TEST_CASE("files below a folder, sorted; labels are the folders' numbers") {
  const files::folder folder("data_files");
  for (const char* name : {"dogs", "cats", "cats/old"}) std::filesystem::create_directories(folder / name);
  for (const char* name : {"dogs/2.jpg", "dogs/10.JPG", "cats/1.jpeg", "cats/old/0.jpg", "cats/notes.txt"})
    files::write(folder / name, "x");
  auto d = data::files(folder.path(), {".jpg", ".jpeg"});
  CHECK(joined(d, folder) == "cats/1.jpeg,cats/old/0.jpg,dogs/10.JPG,dogs/2.jpg,");
  CHECK(d.size() == 4);
  CHECK(data::files(folder.path()).size() == 5);

  CHECK(data::class_names(folder.path()) == std::vector<std::string>{"cats", "dogs"});
  std::string labels;
  auto labelled = data::labelled_files(folder.path(), {".jpg", ".jpeg"});
  for (auto [path, label] : labelled) labels += std::filesystem::path(path).filename().string() + "=" + std::to_string(label) + ",";
  CHECK(labels == "1.jpeg=0,0.jpg=0,10.JPG=1,2.jpg=1,");

  // Another file, another size, another name: a position of before is refused.
  const data::position p = labelled.position();
  CHECK(p.dataset.starts_with("labelled_files(4 files "));
  data::labelled_files(folder.path(), {".jpg", ".jpeg"}).restore(p);
  files::write(folder / "dogs/2.jpg", "xx");
  CHECK_THROWS_AS(data::labelled_files(folder.path(), {".jpg", ".jpeg"}).restore(p), error);
  files::write(folder / "dogs/2.jpg", "x");
  std::filesystem::rename(folder / "dogs/2.jpg", folder / "cats/2.jpg");
  CHECK_THROWS_AS(data::labelled_files(folder.path(), {".jpg", ".jpeg"}).restore(p), error);
}
TEST_CASE("labels are part of positions and caches, and hidden folders are no classes") {
  const files::folder folder("data_labels");
  for (const char* name : {"pictures/cats", "pictures/dogs", "pictures/.thumbnails"})
    std::filesystem::create_directories(folder / name);
  for (const char* name : {"pictures/cats/1.jpg", "pictures/dogs/2.jpg", "pictures/.thumbnails/3.jpg"})
    files::write(folder / name, "x");
  const auto labels = [](auto d) {
    std::string text;
    for (auto [path, label] : d) text += std::to_string(label);
    return text;
  };
  const auto make = [&] { return data::labelled_files(folder / "pictures", {".jpg"}); };
  const data::cache_file cache(folder / "cache");
  CHECK(data::class_names(folder / "pictures") == std::vector<std::string>{"cats", "dogs"});
  CHECK(labels(make()) == "01");
  CHECK(labels(make().cache(cache)) == "01");
  const data::position p = make().position();
  make().restore(p);

  // A class without files shifts the numbers of those behind it.
  std::filesystem::create_directories(folder / "pictures/birds");
  CHECK(labels(make()) == "12");
  CHECK_THROWS_AS(make().restore(p), error);
  CHECK_THROWS_AS(make().cache(cache), error);
  // Of one file, too.
  std::filesystem::remove(folder / "pictures/dogs/2.jpg");
  const data::position one = make().position();
  CHECK(one.dataset.starts_with("labelled_files(\"cats/1.jpg\", 1 bytes, 3 classes "));
  std::filesystem::remove(folder / "pictures/birds");
  CHECK_THROWS_AS(make().restore(one), error);
}

TEST_CASE("a folder that is missing or empty is a sentence") {
  const files::folder folder("data_files");
  const std::string name = folder.path().string();
  CHECK(files::error_of([&] { data::files(folder / "x"); }) == name + "/x: No such file or directory");
  CHECK(files::error_of([&] { data::files(folder.path()); }) == name + ": it has no files");
  CHECK(files::error_of([&] { data::files(folder.path(), {".jpg", ".png"}); }) ==
        name + ": it has no files that end with .jpg or .png");
  CHECK(files::error_of([&] { data::labelled_files(folder.path()); }) == name + ": it has no folders, of which each is a class");
  files::write(folder / "a", "x");
  CHECK(files::error_of([&] { data::files(folder / "a"); }) == name + "/a: Not a directory");
  CHECK(data::files(folder.path()).position().dataset == "files(\"a\", 1 bytes)");
}
