// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <etch/data/dataset.hpp>
#include <etch/data/file_list.hpp>

/// Files of folders, by path, sorted: as bytes of the path behind the folder, so that every machine has one order.
namespace etch::data {

namespace detail {

struct found_files {
  std::vector<std::string> paths;
  std::vector<std::int32_t> labels;
  file_list_text text;
};

inline bool ends_with_one_of(std::string name, const std::vector<std::string>& endings) {
  const auto lower = [](std::string text) {
    for (char& c : text)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
  };
  name = lower(std::move(name));
  return endings.empty() || std::ranges::any_of(endings, [&](const std::string& e) { return name.ends_with(lower(e)); });
}
/// Names of a folder's entries, or with `is_deep` the paths behind it of all files below it, which are sorted.
template <class Keep>
std::vector<std::string> sorted_names(const std::filesystem::path& folder, bool is_deep, const Keep& keep) {
  std::vector<std::string> names;
  std::error_code why;
  using iterator = std::filesystem::recursive_directory_iterator;
  for (iterator i(folder, why); !why && i != iterator(); i.increment(why)) {
    if (keep(*i)) names.push_back(i->path().lexically_relative(folder).generic_string());
    if (!is_deep) i.disable_recursion_pending();
  }
  if (why) fail("%s: %s", folder.string().c_str(), why.message().c_str());
  std::ranges::sort(names);
  return names;
}
inline void find_files(const std::filesystem::path& folder, const std::string& below, const std::vector<std::string>& endings,
                       std::int32_t label, found_files& found) {
  std::error_code why;
  for (const std::string& name :
       sorted_names(below.empty() ? folder : folder / below, true, [&](const std::filesystem::directory_entry& e) {
         std::error_code ignored;
         return e.is_regular_file(ignored) && ends_with_one_of(e.path().filename().string(), endings);
       })) {
    const std::filesystem::path inner = std::filesystem::path(below) / name;
    found.paths.push_back((folder / inner).string());
    found.labels.push_back(label);
    const std::uintmax_t size = std::filesystem::file_size(found.paths.back(), why);
    if (why) fail("%s: %s", found.paths.back().c_str(), why.message().c_str());
    found.text.add_named(inner.generic_string(), size);
  }
}
inline void check_found(const std::filesystem::path& folder, const found_files& found, const std::vector<std::string>& endings) {
  std::string text;
  for (const std::string& e : endings) text += (text.empty() ? " that end with " : " or ") + e;
  if (found.paths.empty()) fail("%s: it has no files%s", folder.string().c_str(), text.c_str());
}

}  // namespace detail

/// Paths of files; with labels, which are numbers of the folders that they are in.
template <bool HasLabels>
struct files_stage {
  using path_component = component<std::string, 0>;
  using element = std::conditional_t<HasLabels, std::tuple<path_component, component<std::int32_t, 0>>, std::tuple<path_component>>;
  std::shared_ptr<const detail::found_files> files;
  std::string text;

  std::int64_t size() const { return static_cast<std::int64_t>(files->paths.size()); }
  std::string describe() const { return text; }

  class reader {
   public:
    explicit reader(const files_stage& s) : files_(s.files) {}
    element at(std::int64_t i) const {
      const auto number = static_cast<std::size_t>(i);
      const path_component path{&files_->paths[number], {}};
      if constexpr (HasLabels)
        return {path, component<std::int32_t, 0>{&files_->labels[number], {}}};
      else
        return {path};
    }

   private:
    std::shared_ptr<const detail::found_files> files_;
  };
};

/// A dataset of the paths of all files below a folder, as std::string, sorted. `endings`: of the names, without regard to capitals, as
/// `{".jpg", ".jpeg"}`; none: all files. What is added later is not part of it. Throws `etch::error` where there is no folder or no file.
inline dataset<files_stage<false>> files(const std::filesystem::path& folder, const std::vector<std::string>& endings = {}) {
  auto found = std::make_shared<detail::found_files>();
  detail::find_files(folder, "", endings, 0, *found);
  detail::check_found(folder, *found, endings);
  const std::string text = "files(" + found->text.text() + ")";
  return dataset(files_stage<false>{std::move(found), text});
}

/// The names of a folder's folders, sorted: class i of `labelled_files` is the i-th. Names that begin with a dot are left out, as
/// by Keras.
inline std::vector<std::string> class_names(const std::filesystem::path& folder) {
  std::vector<std::string> names = detail::sorted_names(folder, false, [](const std::filesystem::directory_entry& e) {
    std::error_code ignored;
    return e.is_directory(ignored) && !e.path().filename().string().starts_with('.');
  });
  if (names.empty()) fail("%s: it has no folders, of which each is a class", folder.string().c_str());
  return names;
}

/// A dataset of the paths of the files below each folder of a folder, with that folder's number among `class_names`, as int32: first all of
/// class 0, then those of class 1, so shuffle them. Throws `etch::error` where there is no such folder or no file.
inline dataset<files_stage<true>> labelled_files(const std::filesystem::path& folder,
                                                 const std::vector<std::string>& endings = {}) {
  auto found = std::make_shared<detail::found_files>();
  std::int32_t label = 0;
  hash_t classes = 0;  // one without files, which its files do not tell, shifts the numbers of others
  for (const std::string& name : class_names(folder)) {
    classes = mix(classes, hash_of(name.data(), name.size()));
    detail::find_files(folder, name, endings, label++, *found);
  }
  detail::check_found(folder, *found, endings);
  char text[64];
  std::snprintf(text, sizeof text, ", %d classes %016llx)", static_cast<int>(label), static_cast<unsigned long long>(classes));
  return dataset(files_stage<true>{found, "labelled_files(" + found->text.text() + text});
}

}  // namespace etch::data
