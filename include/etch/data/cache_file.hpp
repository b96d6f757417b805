// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>

#include <etch/data/array_file.hpp>
#include <etch/data/cache.hpp>
#include <etch/format/tfrecord.hpp>

namespace etch::data {

namespace detail {

/// An element as bytes: its number, and of each component the extents and the values; of strings sizes and bytes.
template <class Element>
class element_record;
template <class... T, int... Rank>
class element_record<std::tuple<component<T, Rank>...>> {
 public:
  using element = std::tuple<component<T, Rank>...>;

  static std::string type_text() {
    std::string text;
    ((text += std::string(text.empty() ? "" : ", ") + type_name<T>() + " of " + std::to_string(Rank) + " axes"), ...);
    return text;
  }
  static void write(std::int64_t number, const element& e, std::string& to) {
    to.clear();
    put(number, to);
    std::apply([&](const auto&... c) { (write_component(c, to), ...); }, e);
  }
  static void read(std::span<const std::byte> record, const std::string& file, copied_element<element>& to) {
    format::byte_reader reader(record, file);
    take_number(reader);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (read_component(reader, to.template buffer<I>()), ...);
    }(std::index_sequence_for<T...>{});
    if (!reader.is_at_end()) reader.wrong("an element of the cache has %zu bytes left over", reader.left());
  }
  static std::int64_t number(std::span<const std::byte> record, const std::string& file) {
    format::byte_reader reader(record, file);
    return take_number(reader);
  }

 private:
  static std::int64_t take_number(format::byte_reader& reader) { return reader.take_little<std::int64_t>("an element's number"); }
  static void put(std::int64_t value, std::string& to) { to.append(reinterpret_cast<const char*>(&value), sizeof value); }
  template <class E, int R>
  static void write_component(const component<E, R>& c, std::string& to) {
    for (const std::int64_t e : c.extents) put(e, to);
    if constexpr (std::is_same_v<E, std::string>) {
      for (std::int64_t i = 0; i < c.size(); ++i) {
        put(static_cast<std::int64_t>(c.values[i].size()), to);
        to += c.values[i];
      }
    } else {
      to.append(reinterpret_cast<const char*>(c.values), static_cast<std::size_t>(c.size()) * sizeof(E));
    }
  }
  template <class E, int R>
  static void read_component(format::byte_reader& reader, component_buffer<E, R>& to) {
    typename component<E, R>::extents_type extents{};
    for (std::int64_t& e : extents) e = reader.take_little<std::int64_t>("an extent");
    const std::int64_t count = format::count_elements(extents);
    constexpr std::size_t least = std::is_same_v<E, std::string> ? sizeof(std::int64_t) : sizeof(E);  // bytes of a value
    if (count < 0 || static_cast<std::size_t>(count) > reader.left() / least)
      reader.wrong("an element of the cache has the shape %s, and %zu bytes are there", format::shape_text(extents).c_str(),
                   reader.left());
    const auto size = static_cast<std::size_t>(count);
    if constexpr (std::is_same_v<E, std::string>) {
      E* values = to.resize(extents);
      for (std::size_t i = 0; i < size; ++i)
        values[i] = reader.take_text(static_cast<std::size_t>(reader.take_little<std::int64_t>("a string's size")), "a string");
    } else {
      const std::span<const std::byte> bytes = reader.take(size * sizeof(E), "a component");
      E* values = to.resize(extents);
      if (!bytes.empty()) std::memcpy(values, bytes.data(), bytes.size());
    }
  }
};

}  // namespace detail

/// Copies of a dataset's elements by number, in a TFRecord file: its first record says what they are. The file is there when all
/// are in it; until then elements are not found. Several threads may use it.
template <class Element>
class file_store {
  using record = detail::element_record<Element>;

 public:
  /// Reads the file where there is one. Throws `etch::error` where it is no such file, or has the elements of another dataset.
  file_store(const std::filesystem::path& path, const std::string& source)
      : path_(path), title_("etch dataset cache of " + source + ": " + record::type_text()) {
    if (std::filesystem::exists(path)) open();
  }
  std::optional<Element> find(std::int64_t i, copied_element<Element>& copy) const {
    if (!is_complete_.load(std::memory_order_acquire) || i >= count_) return {};
    const std::int64_t at = records_[static_cast<std::size_t>(i)];
    record::read(file_->record(at), file_->name(), copy);
    return copy.get();
  }
  void put(std::int64_t i, const Element& e) {
    const std::lock_guard lock(mutex_);
    if (is_complete_) return;
    if (i >= static_cast<std::int64_t>(is_there_.size())) is_there_.resize(static_cast<std::size_t>(i) + 1);
    if (is_there_[static_cast<std::size_t>(i)]) return;
    try {
      if (!writer_) {
        writer_.emplace(path_);
        writer_->add(title_);
      }
      record::write(i, e, bytes_);
      writer_->add(bytes_);
      is_there_[static_cast<std::size_t>(i)] = true;
      ++written_;
      if (written_ == expected_) finish();
    } catch (...) {
      begin_again();
      throw;
    }
  }
  void end(std::int64_t count) {
    const std::lock_guard lock(mutex_);
    if (is_complete_) {
      if (count != count_) wrong_count(count);
      return;
    }
    expected_ = count;
    try {
      if (written_ == count && count > 0) finish();
    } catch (...) {
      begin_again();
      expected_ = -1;  // for the next round to read the source
      throw;
    }
  }
  std::int64_t count() const {
    const std::lock_guard lock(mutex_);
    return is_complete_ ? count_ : expected_;
  }
  static constexpr bool finds_what_was_put = false;  ///< not until all are there
  std::string describe() const { return ".cache(" + detail::file_text(path_) + ")"; }

 private:
  [[noreturn]] void wrong_count(std::int64_t count) const {
    fail("%s: it is a cache of %lld elements, expected are %lld", path_.string().c_str(), static_cast<long long>(count_),
         static_cast<long long>(count));
  }
  /// The next round writes a new file.
  void begin_again() {
    writer_.reset();
    is_there_.clear();
    written_ = 0;
  }
  void finish() {
    writer_->commit();
    writer_.reset();
    open();
  }
  void open() {
    file_.emplace(path_);
    const std::int64_t records = file_->size();
    const std::span<const std::byte> title = records == 0 ? std::span<const std::byte>{} : file_->record(0);
    const std::string found(reinterpret_cast<const char*>(title.data()), title.size());
    if (found != title_)
      fail("%s: it is no cache of this dataset: it begins with \"%.200s\", expected is \"%.200s\"", file_->name().c_str(),
           found.c_str(), title_.c_str());
    records_.assign(static_cast<std::size_t>(records - 1), -1);
    for (std::int64_t r = 1; r < records; ++r) {
      const std::int64_t number = record::number(file_->unchecked_record(r), file_->name());
      if (number < 0 || number >= records - 1 || records_[static_cast<std::size_t>(number)] >= 0)
        fail("%s: record %lld has the number %lld of an element, of %lld", file_->name().c_str(), static_cast<long long>(r),
             static_cast<long long>(number), static_cast<long long>(records - 1));
      records_[static_cast<std::size_t>(number)] = r;
    }
    count_ = records - 1;
    is_complete_.store(true, std::memory_order_release);
  }

  std::filesystem::path path_;
  std::string title_, bytes_;
  mutable std::mutex mutex_;
  std::optional<format::tfrecord_writer> writer_;
  std::vector<bool> is_there_;
  std::int64_t written_ = 0, expected_ = -1;
  std::optional<format::tfrecord_file> file_;
  std::vector<std::int64_t> records_;  ///< of each element
  std::int64_t count_ = 0;
  std::atomic<bool> is_complete_ = false;
};

/// Where `cache` keeps elements: `samples.cache(etch::data::cache_file("samples.tfrecord"))`. The file is written in the first round that
/// has all elements, under its name when it is complete, and read by later rounds and runs of the program. It says which dataset it is of, as
/// `position::dataset` does (sizes, seeds, but no functions): remove it when a function has changed.
class cache_file {
 public:
  explicit cache_file(std::filesystem::path path) : path_(std::move(path)) {}
  template <class Element>
  std::shared_ptr<file_store<Element>> store(const std::string& source) const {
    return std::make_shared<file_store<Element>>(path_, source);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace etch::data
