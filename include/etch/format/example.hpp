// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <etch/format/protobuf.hpp>
#include <etch/format/quoted_text.hpp>

/// tf.train.Example, the message that TFRecord files mostly hold: features by name.
namespace etch::format {

/// Bytes, floats or integers; nothing where a writer has set none of them.
using feature = std::variant<std::monostate, std::vector<std::string>, std::vector<float>, std::vector<std::int64_t>>;

class example {
 public:
  std::map<std::string, feature, std::less<>> features;

  bool contains(std::string_view name) const { return features.find(name) != features.end(); }
  /// The values of a feature, T being std::string, float or std::int64_t. Throws `etch::error` where there is none, or one of another type.
  template <class T>
  const std::vector<T>& get(std::string_view name) const {
    const auto at = features.find(name);
    if (at == features.end()) {
      std::string text;
      for (const auto& [there, f] : features) text += (text.empty() ? "" : ", ") + quoted_text(there);
      fail("tf.train.Example: it has no feature %s, but %s", quoted_text(name).c_str(),
           text.empty() ? "none at all" : text.c_str());
    }
    const auto* values = std::get_if<std::vector<T>>(&at->second);
    if (values == nullptr)
      fail("tf.train.Example: the feature %s has %s, expected are %s", quoted_text(name).c_str(), type_names[at->second.index()],
           type_names[feature(std::vector<T>()).index()]);
    return *values;
  }
  /// The one value of a feature. Throws `etch::error` also where there are more or fewer.
  template <class T>
  const T& get_one(std::string_view name) const {
    const std::vector<T>& values = get<T>(name);
    if (values.size() != 1)
      fail("tf.train.Example: the feature %s has %zu values, expected is 1", quoted_text(name).c_str(), values.size());
    return values[0];
  }
  bool operator==(const example&) const = default;

 private:
  static constexpr const char* type_names[] = {"no values", "bytes", "floats", "integers"};
};

namespace detail {

template <class T>
std::vector<T>& list_of(feature& f) {
  if (!std::holds_alternative<std::vector<T>>(f)) f.emplace<std::vector<T>>();
  return std::get<std::vector<T>>(f);
}
/// A list of numbers, packed or one by one.
template <class T, class Take>
void read_numbers(protobuf_reader list, protobuf_kind kind, feature& f, const Take& take) {
  std::vector<T>& values = list_of<T>(f);
  while (list.next())
    if (list.is(1, protobuf_kind::bytes)) {
      byte_reader packed = list.packed("a list of numbers");
      while (!packed.is_at_end()) values.push_back(take(packed));
    } else if (list.is(1, kind)) {
      values.push_back(take(list.value()));
    }
}
/// Of two lists the last one counts, and of one type they are joined: Protocol Buffers' rules.
inline void read_feature(protobuf_reader kinds, feature& f) {
  while (kinds.next())
    if (kinds.is(1, protobuf_kind::bytes)) {
      auto& texts = list_of<std::string>(f);
      for (protobuf_reader list = kinds.message("a list of bytes"); list.next();)
        if (list.is(1, protobuf_kind::bytes)) texts.emplace_back(list.text("bytes"));
    } else if (kinds.is(2, protobuf_kind::bytes)) {
      read_numbers<float>(kinds.message("a list of floats"), protobuf_kind::fixed32, f,
                          [](byte_reader& from) { return from.take_little<float>("a float"); });
    } else if (kinds.is(3, protobuf_kind::bytes)) {
      read_numbers<std::int64_t>(kinds.message("a list of integers"), protobuf_kind::varint, f,
                                 [](byte_reader& from) { return static_cast<std::int64_t>(take_varint(from, "an integer")); });
    }
}

}  // namespace detail

/// The example of a serialised message. Throws `etch::error` with `name` and the byte where it is none.
inline example parse_example(std::string_view message, const std::string& name = "tf.train.Example") {
  example result;
  protobuf_reader whole(std::as_bytes(std::span(message)), name, 0);
  while (whole.next()) {
    if (!whole.is(1, protobuf_kind::bytes)) continue;
    for (protobuf_reader features = whole.message("the features"); features.next();) {
      if (!features.is(1, protobuf_kind::bytes)) continue;
      std::string key;
      feature value;
      for (protobuf_reader entry = features.message("a feature"); entry.next();)
        if (entry.is(1, protobuf_kind::bytes))
          key = entry.text("a feature's name");
        else if (entry.is(2, protobuf_kind::bytes))
          detail::read_feature(entry.message("a feature's values"), value);
      result.features.insert_or_assign(std::move(key), std::move(value));
    }
  }
  return result;
}

/// The message of an example, features in the order of their names: equal examples are equal bytes.
inline std::string serialize_example(const example& e) {
  std::string bytes, packed;
  protobuf_writer message(bytes);
  if (e.features.empty()) return bytes;
  message.message(1, [&] {
    for (const auto& [name, f] : e.features) {
      const feature& values = f;
      packed.clear();
      if (const auto* floats = std::get_if<std::vector<float>>(&values))
        packed.assign(reinterpret_cast<const char*>(floats->data()), floats->size() * sizeof(float));
      if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values))
        for (const std::int64_t v : *integers) append_varint(packed, static_cast<std::uint64_t>(v));
      message.message(1, [&, &key = name] {
        message.bytes(1, key);
        message.message(2, [&] {
          if (values.index() == 0) return;
          message.message(static_cast<std::uint32_t>(values.index()), [&] {
            if (const auto* texts = std::get_if<std::vector<std::string>>(&values))
              for (const std::string& t : *texts) message.bytes(1, t);
            if (!packed.empty()) message.bytes(1, packed);
          });
        });
      });
    }
  });
  return bytes;
}

}  // namespace etch::format
