// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <etch/format/named_tensor.hpp>
#include <etch/format/protobuf.hpp>

/// The graph of objects that `tf.train.Checkpoint` stores beside its tensors and matches its own objects with.
namespace etch::format {

inline constexpr const char* object_graph_name = "_CHECKPOINTABLE_OBJECT_GRAPH";

namespace detail {
inline constexpr std::string_view stored_end = "/.ATTRIBUTES/VARIABLE_VALUE";
}

/// The key of a tensor as `tf.train.Checkpoint` stores it: "dense/kernel/.ATTRIBUTES/VARIABLE_VALUE", where ".." stands for a dot of a name.
inline std::string stored_key(std::string_view name) {
  std::string key;
  for (const char c : name) key += c == '.' ? std::string("..") : std::string(1, c);
  return key.append(detail::stored_end);
}
/// The name of a tensor that was stored under such a key, where ".S" is a slash, too. Other keys stay as they are.
inline std::string name_of_stored(std::string_view key) {
  if (!key.ends_with(detail::stored_end)) return std::string(key);
  key.remove_suffix(detail::stored_end.size());
  std::string name;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char next = key[i] == '.' && i + 1 < key.size() ? key[i + 1] : '\0';
    name += next == 'S' ? '/' : key[i];
    i += next == 'S' || next == '.';
  }
  return name;
}

/// A TrackableObjectGraph in which "dense/kernel" is the variable `kernel` of the object `dense` of the root.
inline std::string object_graph_of(const std::vector<std::string>& names) {
  struct node {
    std::map<std::string, std::size_t, std::less<>> children;
    const std::string* tensor = nullptr;
  };
  std::vector<node> nodes(1);
  for (const std::string& name : names) {
    std::size_t at = 0;
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t end = std::min(name.find('/', begin), name.size());
      const auto [child, is_new] = nodes[at].children.emplace(name.substr(begin, end - begin), nodes.size());
      at = child->second;
      if (is_new) nodes.emplace_back();
      begin = end + 1;
    }
    nodes[at].tensor = &name;
  }
  std::string bytes;
  protobuf_writer graph(bytes);
  for (const node& n : nodes)
    graph.message(1, [&] {
      for (const auto& child : n.children)
        graph.message(1, [&] {
          graph.integer(1, static_cast<std::int64_t>(child.second));
          graph.bytes(2, child.first);
        });
      if (n.tensor != nullptr)
        graph.message(2, [&] {
          graph.bytes(1, "VARIABLE_VALUE");
          graph.bytes(2, *n.tensor);
          graph.bytes(3, stored_key(*n.tensor));
        });
      graph.message(5, [&] { graph.integer(1, 1); });
    });
  return bytes;
}

/// These tensors under the keys that `tf.train.Checkpoint` gives them, with the graph.
inline std::vector<named_tensor> with_object_graph(std::vector<named_tensor> tensors) {
  std::vector<std::string> names;
  for (named_tensor& t : tensors) {
    names.push_back(t.name);
    t.name = stored_key(t.name);
  }
  tensors.push_back(text(object_graph_name, object_graph_of(names)));
  return tensors;
}

}  // namespace etch::format
