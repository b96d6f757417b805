// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <map>
#include <set>

#include <etch/format/input_file.hpp>
#include <etch/format/json.hpp>
#include <etch/format/named_tensor.hpp>
#include <etch/format/output_file.hpp>

/// Safetensors: a JSON header with names, dtypes, shapes and offsets, and then the arrays' bytes. Read by the tools of PyTorch and JAX.
namespace etch::format {

namespace detail {

struct safetensors_type {
  std::string_view name;
  int bits;
  dtype type;  ///< none: etch has no such dtype
};
/// In the order in which the format's own library writes them, the last ones first, so that arrays are aligned.
inline constexpr safetensors_type safetensors_types[] = {
    {"BOOL", 8, dtype::boolean}, {"F4", 4, dtype::none},          {"F6_E2M3", 6, dtype::none},     {"F6_E3M2", 6, dtype::none},
    {"U8", 8, dtype::uint8},     {"I8", 8, dtype::int8},          {"F8_E5M2", 8, dtype::none},     {"F8_E4M3", 8, dtype::none},
    {"F8_E8M0", 8, dtype::none}, {"F8_E4M3FNUZ", 8, dtype::none}, {"F8_E5M2FNUZ", 8, dtype::none}, {"I16", 16, dtype::int16},
    {"U16", 16, dtype::uint16},  {"F16", 16, dtype::none},        {"BF16", 16, dtype::bfloat16},   {"I32", 32, dtype::int32},
    {"U32", 32, dtype::uint32},  {"F32", 32, dtype::float32},     {"C64", 64, dtype::none},        {"F64", 64, dtype::float64},
    {"I64", 64, dtype::int64},   {"U64", 64, dtype::uint64},
};
inline const safetensors_type* safetensors_type_of(dtype type) {
  return type == dtype::none ? nullptr : std::ranges::find(safetensors_types, type, &safetensors_type::type);
}
inline constexpr std::size_t safetensors_longest_header = 100'000'000;

}  // namespace detail

/// A file, mapped, whose arrays are read where they lie. Throws `etch::error` with the file, the offset and what is wrong where a rule of
/// the format is broken: two tensors of one name, bytes that overlap or belong to none, sizes that do not fit shapes.
class safetensors_reader {
 public:
  explicit safetensors_reader(const std::filesystem::path& path) : file_(path) {
    byte_reader bytes(file_.bytes(), file_.name());
    const auto length = bytes.take_little<std::uint64_t>("the length of the header");
    if (length > detail::safetensors_longest_header)
      bytes.wrong_at(0, "the header has %llu bytes, more than %zu", static_cast<unsigned long long>(length),
                     detail::safetensors_longest_header);
    const std::size_t header_at = bytes.offset();
    const std::string_view header = bytes.take_text(static_cast<std::size_t>(length), "the header");
    if (!header.starts_with('{')) bytes.wrong_at(header_at, "the header begins with '{'");
    data_ = bytes.offset();
    read_header(json_reader(header, file_.name(), header_at));
    check_places(bytes.left());
  }

  const std::string& name() const { return file_.name(); }
  /// In the order of their bytes. Those that etch has no dtype for have `dtype::none`, with their bytes.
  const std::vector<named_tensor>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  /// Of a tensor's bytes in the file.
  std::size_t offset_of(const named_tensor& t) const {
    return static_cast<std::size_t>(t.array.bytes.data() - file_.bytes().data());
  }

 private:
  struct place {
    std::int64_t begin = 0, end = 0, bytes = 0;
    std::size_t offset = 0;  ///< of its name in the header, for errors
    named_tensor tensor;
  };

  void read_header(json_reader json) {
    std::set<std::string, std::less<>> names;
    json.object("the header", [&](const std::string& name) {
      if (!names.insert(name).second) wrong(json.offset(), "there are two tensors \"%s\"", name);
      if (name != "__metadata__") return read_tensor(json, name);
      json.object("the metadata", [&](const std::string& key) {
        if (!metadata_.emplace(key, json.string("a value of the metadata")).second)
          wrong(json.offset(), "the metadata has \"%s\" twice", key);
      });
    });
    json.end();
  }
  void read_tensor(json_reader& json, const std::string& name) {
    place p;
    p.offset = json.offset();
    p.tensor.name = name;
    const detail::safetensors_type* type = nullptr;
    bool has_shape = false;
    int offsets = -1;
    const auto once = [&](bool is_first, const std::string& key) {
      if (!is_first) wrong(json.offset(), "tensor \"%s\" has its %s twice", name, key);
    };
    json.object("a tensor's description", [&](const std::string& key) {
      if (key == "dtype") {
        once(type == nullptr, key);
        p.tensor.type_name = json.string("a dtype");
        const auto found = std::ranges::find(detail::safetensors_types, p.tensor.type_name, &detail::safetensors_type::name);
        if (found == std::end(detail::safetensors_types))
          wrong(json.offset(), "tensor \"%s\" has the dtype \"%s\", which the format does not have", name, p.tensor.type_name);
        type = &*found;
      } else if (key == "shape") {
        once(!has_shape, key);
        has_shape = true;
        json.array("a shape", [&] { p.tensor.array.extents.push_back(json.integer("an extent")); });
      } else if (key == "data_offsets") {
        once(offsets < 0, key);
        offsets = 0;
        json.array("the offsets", [&] {
          const std::int64_t offset = json.integer("an offset");
          if (++offsets <= 2) (offsets == 1 ? p.begin : p.end) = offset;
        });
      } else {
        json.skip();
      }
    });
    if (type == nullptr || !has_shape || offsets != 2)
      wrong(p.offset, "tensor \"%s\" has not a dtype, a shape and two offsets", name);
    const std::int64_t elements = count_elements(p.tensor.array.extents);
    if (elements < 0 || elements > std::numeric_limits<std::int64_t>::max() / type->bits)
      wrong(p.offset, "tensor \"%s\" has more elements than memory: %s", name, shape_text(p.tensor.array.extents));
    if (elements * type->bits % 8 != 0) wrong(p.offset, "tensor \"%s\" does not end with a byte: %s", name, p.tensor.type_text());
    p.bytes = elements * type->bits / 8;
    p.tensor.array.type = type->type;
    if (type->type != dtype::none) p.tensor.type_name = name_of_dtype(type->type);
    places_.push_back(std::move(p));
  }
  /// Each tensor begins where the last one ended, and the last one ends with the file.
  void check_places(std::size_t left) {
    std::ranges::sort(places_,
                      [](const place& a, const place& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
    std::int64_t next = 0;
    for (place& p : places_) {
      const auto text = [&] { return std::to_string(p.begin) + " to " + std::to_string(p.end); };
      if (p.begin != next)
        wrong(p.offset, "tensor \"%s\" has bytes %s, must begin at %s", p.tensor.name, text(), std::to_string(next));
      if (p.end < p.begin || p.end - p.begin != p.bytes)
        wrong(p.offset, "tensor \"%s\" has bytes %s, but %s has %s", p.tensor.name, text(), p.tensor.type_text(),
              std::to_string(p.bytes));
      next = p.end;
      if (static_cast<std::size_t>(next) > left)
        wrong(p.offset, "tensor \"%s\" has bytes %s, of which %s are there", p.tensor.name, text(), std::to_string(left));
      p.tensor.array.bytes = file_.bytes().subspan(data_ + static_cast<std::size_t>(p.begin), static_cast<std::size_t>(p.bytes));
      check_bools(p.tensor);
      tensors_.push_back(std::move(p.tensor));
    }
    places_.clear();
    if (static_cast<std::size_t>(next) != left)
      wrong(data_ + static_cast<std::size_t>(next), "%s bytes belong to no tensor",
            std::to_string(left - static_cast<std::size_t>(next)));
  }
  void check_bools(const named_tensor& t) const {
    if (t.array.type != dtype::boolean) return;
    const auto at = std::ranges::find_if(t.array.bytes, [](std::byte b) { return b > std::byte{1}; });
    if (at != t.array.bytes.end())
      wrong(offset_of(t) + static_cast<std::size_t>(at - t.array.bytes.begin()), "tensor \"%s\" has a bool that is neither 0 nor 1",
            t.name);
  }
  template <class... A>
  [[noreturn, gnu::cold]] void wrong(std::size_t offset, const char* format, const A&... texts) const {
    byte_reader({}, file_.name()).wrong_at(offset, format, texts.c_str()...);
  }

  input_file file_;
  std::size_t data_ = 0;
  std::vector<place> places_;
  std::vector<named_tensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

/// Writes a file as the format's own library does: by dtype, the widest first, then by name, the header filled up
/// to a multiple of 8 bytes.
/// Throws `etch::error` for strings, for names that are no UTF-8 or given twice, and as `output_file` does.
inline void write_safetensors(const std::filesystem::path& path, const std::vector<named_tensor>& tensors,
                              const std::map<std::string, std::string>& metadata = {}) {
  const std::string file = path.string();
  const auto check_text = [&](const std::string& text) {
    if (utf8_end(text) != text.size()) fail("%s: safetensors: a text is no UTF-8 at byte %zu", file.c_str(), utf8_end(text));
  };
  std::vector<const named_tensor*> order;
  for (const named_tensor& t : tensors) {
    if (t.array.type == dtype::none)
      fail("%s: safetensors: tensor \"%s\" is %s", file.c_str(), t.name.c_str(), t.type_text().c_str());
    if (t.name == "__metadata__") fail("%s: safetensors: no tensor has the name \"__metadata__\"", file.c_str());
    check_text(t.name);
    order.push_back(&t);
  }
  std::ranges::sort(order, [](const named_tensor* a, const named_tensor* b) {
    const auto *type_a = detail::safetensors_type_of(a->array.type), *type_b = detail::safetensors_type_of(b->array.type);
    return type_a != type_b ? type_a > type_b : a->name < b->name;
  });
  std::set<std::string_view> names;
  std::string header;
  const auto begin_member = [&](const std::string& name) { header += (header.empty() ? "{" : ",") + json_string(name) + ":"; };
  if (!metadata.empty()) {
    begin_member("__metadata__");
    char before = '{';
    for (const auto& [key, value] : metadata) {
      check_text(key);
      check_text(value);
      header += std::exchange(before, ',') + json_string(key) + ":" + json_string(value);
    }
    header += "}";
  }
  std::size_t offset = 0;
  for (const named_tensor* t : order) {
    if (!names.insert(t->name).second) fail("%s: safetensors: there are two tensors \"%s\"", file.c_str(), t->name.c_str());
    begin_member(t->name);
    header += "{\"dtype\":\"" + std::string(detail::safetensors_type_of(t->array.type)->name) + "\",\"shape\":[";
    for (std::size_t i = 0; i < t->array.extents.size(); ++i) header += (i > 0 ? "," : "") + std::to_string(t->array.extents[i]);
    const std::size_t end = offset + t->array.bytes.size();
    header += "],\"data_offsets\":[" + std::to_string(offset) + "," + std::to_string(end) + "]}";
    offset = end;
  }
  header += header.empty() ? "{}" : "}";
  header.append((8 - header.size() % 8) % 8, ' ');
  if (header.size() > detail::safetensors_longest_header)
    fail("%s: safetensors: the names are too long for one file", file.c_str());

  output_file to(path);
  const std::uint64_t length = header.size();
  to.write(std::as_bytes(std::span(&length, 1)));
  to.write(header);
  for (const named_tensor* t : order) to.write(t->array.bytes);
  to.commit();
}

}  // namespace etch::format
