// SPDX-License-Identifier: MIT
#pragma once
#include <etch/format/npy.hpp>
#include <etch/format/zip_reader.hpp>
#include <etch/format/zip_writer.hpp>

/// npz, NumPy's format of several arrays with names: a zip archive of a `<name>.npy` for each.
namespace etch::format {

/// Reads arrays by name; the file stays mapped while one of those is there that are not compressed. Throws `etch::error` as `zip_reader`
/// and `read_npy`.
class npz_file {
 public:
  /// `inflate`: for what numpy.savez_compressed writes.
  explicit npz_file(const std::filesystem::path& path, inflate_function inflate = nullptr)
      : npz_file(std::make_shared<const input_file>(path), inflate) {}
  /// In memory, which `owner` keeps.
  npz_file(std::span<const std::byte> bytes, std::string file, std::shared_ptr<const void> owner,
           inflate_function inflate = nullptr)
      : owner_(std::move(owner)), file_(std::move(file)), zip_(bytes, file_, inflate) {}

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const zip_member& m : zip_.members())
      if (m.name.ends_with(suffix)) names.push_back(m.name.substr(0, m.name.size() - 4));
    return names;
  }
  /// Members that are no arrays: numpy.load gives their bytes.
  std::vector<std::string> texts() const {
    std::vector<std::string> names;
    for (const zip_member& m : zip_.members())
      if (!m.name.ends_with(suffix)) names.push_back(m.name);
    return names;
  }
  std::string read_text(const std::string& name) const {
    const zip_member* const m = zip_.find(name);
    if (m == nullptr) fail("%s: it has no text %s", file_.c_str(), quoted_text(name).c_str());
    const zip_reader::contents c = zip_.read(*m);
    return {reinterpret_cast<const char*>(c.bytes.data()), c.bytes.size()};
  }
  bool contains(const std::string& name) const { return zip_.find(name + suffix) != nullptr; }
  /// Throws `etch::error` also where there is no such array.
  kept_array read(const std::string& name) const {
    const zip_member* const m = zip_.find(name + suffix);
    if (m == nullptr) {
      std::string text;
      for (const std::string& there : names()) text += (text.empty() ? "" : ", ") + quoted_text(there);
      fail("%s: it has no array %s, but %s", file_.c_str(), quoted_text(name).c_str(), text.empty() ? "none at all" : text.c_str());
    }
    zip_reader::contents c = zip_.read(*m);
    std::string place = file_ + ": " + quoted_text(m->name);
    array_view array = read_npy(c.bytes, place, m->is_deflated ? 0 : c.offset);
    if (!m->is_deflated) return {std::move(array), owner_, std::move(place)};
    auto owner = std::make_shared<const std::vector<std::byte>>(std::move(c.unpacked));
    return {std::move(array), owner, std::move(place)};
  }

 private:
  static constexpr const char* suffix = ".npy";

  explicit npz_file(std::shared_ptr<const input_file> file, inflate_function inflate)
      : npz_file(file->bytes(), file->name(), file, inflate) {}

  std::shared_ptr<const void> owner_;
  std::string file_;
  zip_reader zip_;
};

/// Writes a npz file, which replaces one that there is at `commit`.
class npz_writer {
 public:
  explicit npz_writer(const std::filesystem::path& path) : file_(path), zip_(file_) {}

  /// Throws `etch::error` where the name was there before, and where it is no UTF-8.
  void add(const std::string& name, const array_view& array) {
    const std::string header = npy_header(array.type, array.extents);
    zip_.add(name + ".npy", {std::as_bytes(std::span(header)), array.bytes});
  }
  /// A member that is no array.
  void add_text(const std::string& name, std::string_view text) {
    if (name.ends_with(".npy")) fail("%s: a text has the name %s of an array", file_.name().c_str(), quoted_text(name).c_str());
    zip_.add(name, {std::as_bytes(std::span(text))});
  }
  void commit() {
    zip_.finish();
    file_.commit();
  }

 private:
  output_file file_;
  zip_writer zip_;
};

}  // namespace etch::format
