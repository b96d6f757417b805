// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include <etch/graph/graph.hpp>
#include <etch/graph/scopes.hpp>

/// What nodes are called: a table beside the graph, made when something is printed.
namespace etch {

/// The names and scopes that are written in expressions, by content. Of two names of one node the first that is met, in the order of
/// the graph, is the node's; the others are aliases.
class name_table {
 public:
  struct entry {
    const char* given = nullptr;  ///< null: none
    int scope = 0;                ///< in which it was named, or made
    const source_place* place = nullptr;
  };
  struct alias {
    hash_t content = 0;
    const char* name = "";
  };

  name_table(const record* const* roots, int count) {
    collector found{*this};
    detail::scope_walk<collector> walk(found);
    for (int i = 0; i < count; ++i) walk.add(roots[i]);
    scopes_ = static_cast<vector<detail::scope_instance>&&>(walk.scopes);
  }
  /// Null where nothing in the expressions has that content.
  const entry* find(hash_t content) const {
    const auto known = entries_.find(content);
    return known == entries_.end() ? nullptr : &known->second;
  }
  const std::vector<alias>& aliases() const { return aliases_; }
  const vector<detail::scope_instance>& scopes() const { return scopes_; }

 private:
  struct collector {
    name_table& table;
    void name(const naming& given, const record& node, int scope) {
      entry& e = table.entries_[node.content];
      if (e.given == nullptr)
        e = {given.text, scope, given.place};
      else if (e.given != std::string(given.text))
        table.aliases_.push_back({node.content, given.text});
    }
    void use(const record& node, int scope, const vector<detail::scope_instance>&) {
      table.entries_.try_emplace(node.content, entry{nullptr, scope, nullptr});
    }
  };
  std::unordered_map<hash_t, entry> entries_;
  std::vector<alias> aliases_;
  vector<detail::scope_instance> scopes_;
};

/// A graph whose nodes have names.
struct named_graph {
  graph value;
  std::vector<std::string> names;             ///< of the nodes, each once
  std::vector<std::string> assignment_names;  ///< of the assignments
  std::vector<std::string> places;            ///< of the nodes: file:line, where it is known that the program names it there
  std::vector<char> is_named;                 ///< of the nodes: by the program, or because it is in a scope
  struct alias {
    std::string name;
    int node = 0;
  };
  std::vector<alias> aliases;
};

namespace detail {

/// Hands out each name once: `c`, then `c_1`, `c_2`.
class unique_names {
 public:
  std::string make(const std::string& wanted) {
    std::string name = wanted;
    for (int k = 1; !taken_.try_emplace(name, 1).second; ++k) {
      int& next = taken_[wanted];
      if (k < next) k = next;
      next = k + 1;
      name = wanted + "_" + std::to_string(k);
    }
    return name;
  }

 private:
  std::unordered_map<std::string, int> taken_;  ///< and the number to try next
};

/// Names a graph's nodes: slots as they are called; then what has been given a name; then the others, by their ops.
class node_namer {
 public:
  explicit node_namer(const name_table& table) : table_(table), paths_(static_cast<std::size_t>(table.scopes().size())) {}

  void run(named_graph& g) {
    const auto size = static_cast<std::size_t>(g.value.size());
    g.names.resize(size);
    g.places.resize(size);
    g.is_named.resize(size);
    number_scopes(g);
    for (std::size_t n = 0; n < size; ++n)
      if (const slot_info* slot = node_of(g, n).slot) g.names[n] = names_.make(slot->name);
    for (std::size_t n = 0; n < size; ++n)
      if (const auto* e = find(g, n); g.names[n].empty() && e != nullptr && e->given != nullptr) {
        g.names[n] = names_.make(in_scope(e->given, e->scope));
        g.is_named[n] = 1;
        if (e->place != nullptr && e->place->file != nullptr)
          g.places[n] = std::string(e->place->file) + ":" + std::to_string(e->place->line);
      }
    for (std::size_t n = 0; n < size; ++n) {
      if (!g.names[n].empty()) continue;
      const auto* e = find(g, n);
      const std::string path = e != nullptr ? path_of(e->scope) : "";
      g.is_named[n] = path.empty() ? 0 : 1;
      g.names[n] = names_.make(path.empty() ? node_of(g, n).op->name : path + "/" + node_of(g, n).op->name);
    }
    for (int i = 0; i < g.value.assignments.size(); ++i) g.assignment_names.push_back(names_.make("assign"));
    add_aliases(g);
  }

 private:
  static const node& node_of(const named_graph& g, std::size_t n) { return g.value[static_cast<int>(n)]; }
  const name_table::entry* find(const named_graph& g, std::size_t n) const { return table_.find(node_of(g, n).content); }

  /// Scopes are numbered in the order in which the graph is done with them, whatever in them has a name. What two of them share, such as a
  /// constant, stands before both.
  void number_scopes(const named_graph& g) {
    const auto size = static_cast<std::size_t>(g.value.size());
    std::vector<std::size_t> last(static_cast<std::size_t>(table_.scopes().size()), size);
    const auto each_scope = [&](std::size_t n, const auto& f) {
      if (const auto* e = find(g, n))
        for (int scope = e->scope; scope > 0; scope = table_.scopes()[scope].outer) f(scope, last[static_cast<std::size_t>(scope)]);
    };
    for (std::size_t n = 0; n < size; ++n) each_scope(n, [&](int, std::size_t& at) { at = n; });
    for (std::size_t n = 0; n < size; ++n)
      each_scope(n, [&](int scope, std::size_t at) {
        if (at == n) path_of(scope);
      });
  }
  void add_aliases(named_graph& g) {
    std::unordered_map<hash_t, int> nodes;
    for (int n = 0; n < g.value.size(); ++n) nodes.try_emplace(g.value[n].content, n);
    for (const auto& a : table_.aliases())
      if (const auto known = nodes.find(a.content); known != nodes.end()) g.aliases.push_back({a.name, known->second});
  }
  /// A name that the program has written in full, where its scope has been given another path.
  std::string in_scope(const std::string& written, int scope) {
    for (; scope > 0; scope = table_.scopes()[scope].outer) {
      const std::string path = table_.scopes()[scope].path();
      if (is_under(written.c_str(), path.c_str())) return path_of(scope) + written.substr(path.size());
    }
    return written;
  }
  /// The path that nodes in a call of a scope have: its own, or `path_1` where another call has that.
  const std::string& path_of(int scope) {
    std::string& path = paths_[static_cast<std::size_t>(scope)];
    if (scope == 0 || !path.empty()) return path;
    const int outer = table_.scopes()[scope].outer;
    return path = scope_names_.make(in_scope(table_.scopes()[scope].path(), outer));
  }

  const name_table& table_;
  unique_names names_, scope_names_;
  std::vector<std::string> paths_;
};

}  // namespace detail

/// A graph that expressions have become, before or after passes, with its names. `roots`: the expressions, as they are written.
inline named_graph name_nodes(graph g, const record* const* roots, int count) {
  named_graph named{static_cast<graph&&>(g), {}, {}, {}, {}, {}};
  const name_table table(roots, count);
  detail::node_namer(table).run(named);
  return named;
}

}  // namespace etch
