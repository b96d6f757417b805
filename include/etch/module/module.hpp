// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <etch/module/member_names.hpp>
#include <etch/module/variable.hpp>

namespace etch {

/// What a module is whatever its members are.
class any_module {
 public:
  /// "demo_module"
  const std::string& name() const { return name_; }

 protected:
  explicit any_module(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

/// Whatever lists its variables: modules, models, sessions, functions.
template <class M>
concept has_variables = requires(M& m) { (*m.variables().begin()).trainable(); };

namespace detail {

template <class V>
inline constexpr bool is_eager_variable_type = false;
template <class T, int Rank>
inline constexpr bool is_eager_variable_type<eager::variable<T, Rank>> = true;

template <class P>
using pointed_to = std::remove_reference_t<decltype(*std::declval<P&>())>;
/// std::optional, pointers and std's of them, where they hold a class that is known here.
template <class P>
concept may_hold_a_class = requires(P& p) {
  static_cast<bool>(p);
  sizeof(pointed_to<P>);
} && std::is_class_v<pointed_to<P>>;
template <class V>
concept variant_of_classes = requires { std::variant_size<V>::value; };
template <class R>
concept wrapped_reference = !std::is_same_v<std::unwrap_reference_t<std::remove_const_t<R>>, std::remove_const_t<R>>;

/// The state of random draws, seed and runs, of a session or model in a module.
struct module_draws {
  std::string path;
  std::function<std::array<std::uint64_t, 2>()> get;
  std::function<void(const std::array<std::uint64_t, 2>&)> set;
};

/// What a walk over a module and the modules in it finds.
struct module_contents {
  const any_module* root;
  /// As a checkpoint wants it: of models the variables of their optimizers, too, and of two models each by its path.
  bool of_checkpoint = false;
  std::vector<module_draws> draws{};
  std::vector<module_variable> variables{};
  std::vector<const any_module*> modules{};
  std::vector<const void*> known{};
  std::vector<std::uint64_t> known_eager{};

  /// A member by its path.
  template <class M>
  void add(const std::string& path, const std::string& scope, M& member) {
    if constexpr (is_eager_variable_type<std::remove_const_t<M>>) {
      if (is_new(known_eager, member.identity())) variables.emplace_back(path, member);
    } else if constexpr (std::is_base_of_v<any_module, M>) {
      // Pointers may lead to one module twice, and back.
      if (const any_module* const it = std::addressof(member); it != root && is_new(modules, it)) member.add_members(*this, path);
    } else if constexpr (etch::has_variables<M>) {
      if constexpr (requires { member.session().variables(); })
        if (of_checkpoint) return add(path, scope, member.session());
      if constexpr (requires { member.knows_variables(); })
        if (!member.knows_variables()) return;
      constexpr bool has_draws = requires { member.set_random_state(member.random_state()); };
      for (auto v : member.variables())
        if (is_new(known, v.identity()))
          variables.emplace_back(joined_path(has_draws && of_checkpoint ? path : scope, v.name()), v);
      if constexpr (has_draws)
        if (of_checkpoint && is_new(known, static_cast<const void*>(std::addressof(member)))) add_draws(path, member);
    } else if constexpr (may_hold_a_class<M>) {
      if (member) add(path, scope, *member);
    } else if constexpr (wrapped_reference<M>) {
      add(path, scope, member.get());
    } else if constexpr (variant_of_classes<M>) {
      if (!member.valueless_by_exception()) std::visit([&](auto& held) { add(path, scope, held); }, member);
    } else if constexpr (requires { std::tuple_size<M>::value; }) {
      std::apply([&, i = 0](auto&... each) mutable { (add(path + "/" + std::to_string(i++), scope, each), ...); }, member);
    } else if constexpr (std::ranges::input_range<M>) {
      // A path is a range of paths.
      using each_type = std::ranges::range_value_t<M>;
      if constexpr ((std::is_class_v<each_type> || may_hold_a_class<each_type>) &&
                    !std::is_same_v<each_type, std::remove_const_t<M>>) {
        std::size_t i = 0;
        for (auto& each : member) add(path + "/" + std::to_string(i++), scope, each);
      }
    }
  }

 private:
  template <class Session>
  void add_draws(const std::string& path, Session& session) {
    draws.push_back(
        {path,
         [&session] {
           const auto state = session.random_state();
           return std::array<std::uint64_t, 2>{state.seed, state.runs};
         },
         [&session](const std::array<std::uint64_t, 2>& numbers) { session.set_random_state({numbers[0], numbers[1]}); }});
  }
  /// What several members are, or have, is one.
  template <class Identity>
  static bool is_new(std::vector<Identity>& known, Identity identity) {
    if (std::ranges::find(known, identity) != known.end()) return false;
    known.push_back(identity);
    return true;
  }
};

}  // namespace detail

/// TensorFlow's tf.Module: a class with variables, functions and other modules as members lists them.
///
///   struct demo_module : etch::module<demo_module> {
///     etch::eager::variable<float, 0> x{1.f};
///     auto add_print(const etch::tensor<float, 0>& a) { ... }
///     ETCH_MEMBERS(x)
///   };
///
/// Its name is the class's (`DemoModule` is `demo_module`, too), or what its constructor is given. An eager variable is called by the
/// members that lead to it, `demo_module/x`, `demo_module/layers/0/kernel`; the variables of functions, sessions and models have the
/// names that they have, behind the module's. A function that has not been called has none yet, unless its arguments are known.
/// Members may be tuples, containers, std::optional, std::variant, references and pointers of these; what pointers lead to twice
/// is listed once.
template <class Derived>
class module : public any_module {
 public:
  explicit module(std::string name = default_name()) : any_module(std::move(name)) {}

  /// All, those of modules in this one too.
  std::vector<module_variable> variables() const { return contents().variables; }
  /// Those that are trained.
  std::vector<module_variable> trainable_variables() const {
    std::vector<module_variable> all = variables();
    std::erase_if(all, [](const module_variable& v) { return !v.trainable(); });
    return all;
  }
  /// The modules in this one, and those in them.
  std::vector<const any_module*> submodules() const { return contents().modules; }
  /// What a checkpoint keeps: `variables()`, of models those of their optimizers too, and the states of random draws.
  detail::module_contents checkpoint_state() const {
    detail::module_contents found{this, true};
    add_members(found, name());
    return found;
  }

 private:
  friend detail::module_contents;
  static std::string default_name() {
    constexpr auto type = type_name<Derived>();
    return detail::module_name(std::string_view(type.text, type.size));
  }
  detail::module_contents contents() const {
    detail::module_contents found{this};
    add_members(found, name());
    return found;
  }
  /// What it finds refers to the variables, which are not part of the class: they may be written by who sees it.
  void add_members(detail::module_contents& found, const std::string& path) const {
    auto& self = const_cast<Derived&>(static_cast<const Derived&>(*this));
    std::apply(
        [&, place = std::size_t{0}](auto&... member) mutable {
          (found.add(detail::joined_path(path, detail::member_name(self.etch_member_names(), place++)), path, member), ...);
        },
        self.etch_members());
  }
};

}  // namespace etch

/// In a module: its members that are, or have, variables. The one line that C++ needs: it can list members of classes without
/// constructors only, and not their names.
#define ETCH_MEMBERS(...)                               \
  auto etch_members() { return std::tie(__VA_ARGS__); } \
  static constexpr const char* etch_member_names() { return #__VA_ARGS__; }
