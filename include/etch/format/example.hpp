// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include <etch/core/diagnostics.hpp>
#include <etch/format/quoted_text.hpp>

/// tf.train.Example, the message that TFRecord files mostly hold: features by name. By protozero (Debian's libprotozero-dev).
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

class example_parser {
 public:
  example_parser(std::string_view message, const std::string& name) : message_(message), at_(message.data()), name_(&name) {}

  example parse() {
    example result;
    try {
      for_each_field({message_.data(), message_.size()}, [&](protozero::pbf_reader& features) {
        if (!is_message(features, 1)) return features.skip();
        for_each_field(features.get_view(), [&](protozero::pbf_reader& entries) {
          if (!is_message(entries, 1)) return entries.skip();
          std::string key;
          feature value;
          for_each_field(entries.get_view(), [&](protozero::pbf_reader& entry) {
            if (is_message(entry, 1))
              key = entry.get_string();
            else if (is_message(entry, 2))
              for_each_field(entry.get_view(), [&](protozero::pbf_reader& kinds) { read_list(kinds, value); });
            else
              entry.skip();
          });
          result.features.insert_or_assign(std::move(key), std::move(value));
        });
      });
    } catch (const protozero::exception& e) {
      fail("%s: at byte %td: it is no tf.train.Example: %s", name_->c_str(), at_ - message_.data(), e.what());
    }
    return result;
  }

 private:
  /// What `take(reader)` does of each field, which it reads or skips.
  template <class Take>
  void for_each_field(protozero::data_view view, const Take& take) {
    protozero::pbf_reader reader(view);
    while (at_ = reader.data().data(), reader.next()) take(reader);
  }
  static bool is_message(const protozero::pbf_reader& r, protozero::pbf_tag_type tag) {
    return r.tag() == tag && r.wire_type() == protozero::pbf_wire_type::length_delimited;
  }
  template <class T>
  static std::vector<T>& list_of(feature& f) {
    if (!std::holds_alternative<std::vector<T>>(f)) f.emplace<std::vector<T>>();
    return std::get<std::vector<T>>(f);
  }
  /// Of two lists the last one counts, and of one type they are joined; numbers come packed or one by one: Protocol Buffers' rules.
  void read_list(protozero::pbf_reader& kinds, feature& f) {
    using wire = protozero::pbf_wire_type;
    if (is_message(kinds, 1)) {
      auto& list = list_of<std::string>(f);
      for_each_field(kinds.get_view(),
                     [&](protozero::pbf_reader& r) { is_message(r, 1) ? list.push_back(r.get_bytes()) : r.skip(); });
    } else if (is_message(kinds, 2)) {
      auto& list = list_of<float>(f);
      for_each_field(kinds.get_view(), [&](protozero::pbf_reader& r) {
        if (is_message(r, 1)) {
          const auto values = r.get_packed_float();
          list.insert(list.end(), values.begin(), values.end());
        } else {
          r.tag() == 1 && r.wire_type() == wire::fixed32 ? list.push_back(r.get_float()) : r.skip();
        }
      });
    } else if (is_message(kinds, 3)) {
      auto& list = list_of<std::int64_t>(f);
      for_each_field(kinds.get_view(), [&](protozero::pbf_reader& r) {
        if (is_message(r, 1)) {
          for (const std::int64_t v : r.get_packed_int64()) list.push_back(v);
        } else {
          r.tag() == 1 && r.wire_type() == wire::varint ? list.push_back(r.get_int64()) : r.skip();
        }
      });
    } else {
      kinds.skip();
    }
  }

  std::string_view message_;
  const char* at_;  ///< where the last field that was begun is
  const std::string* name_;
};

}  // namespace detail

/// The example of a serialised message. Throws `etch::error` with `name` and the byte where it is none.
inline example parse_example(std::string_view message, const std::string& name = "tf.train.Example") {
  return detail::example_parser(message, name).parse();
}

/// The message of an example, features in the order of their names: equal examples are equal bytes.
inline std::string serialize_example(const example& e) {
  std::string message;
  protozero::pbf_writer writer(message);
  protozero::pbf_writer features(writer, 1);
  for (const auto& [name, values] : e.features) {
    // Nested writers leave out what is empty, but a list of no numbers still says their type.
    std::string list, kind;
    protozero::pbf_writer in_list(list);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&values)) {
      for (const std::string& t : *texts) in_list.add_bytes(1, t);
    } else if (const auto* floats = std::get_if<std::vector<float>>(&values)) {
      in_list.add_packed_float(1, floats->begin(), floats->end());
    } else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
      in_list.add_packed_int64(1, integers->begin(), integers->end());
    }
    const auto number = static_cast<protozero::pbf_tag_type>(values.index());
    if (number > 0) protozero::pbf_writer(kind).add_message(number, list);
    protozero::pbf_writer entry(features, 1);
    entry.add_string(1, name);
    entry.add_message(2, kind);
  }
  features.commit();
  return message;
}

}  // namespace etch::format
