// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <concepts>
#include <optional>

#include <etch/checkpoint/part.hpp>
#include <etch/data/position.hpp>
#include <etch/session/session.hpp>

/// The parts of programs that checkpoints know.
namespace etch::detail {

template <class S>
concept lists_variables = requires(const S& s) { s.variables().begin(); };
template <class S>
inline constexpr bool is_variable_list = false;
template <class Memory>
inline constexpr bool is_variable_list<variable_list<Memory>> = true;
template <class S>
concept has_random_state = requires(S& s) {
  { s.random_state() } -> std::convertible_to<random_state>;
  s.set_random_state(s.random_state());
};
template <class M>
concept has_module_state = requires(const M& m) {
  m.checkpoint_state().variables;
  m.checkpoint_state().draws;
};
template <class D>
concept has_position = requires(D& d) {
  { d.position() } -> std::convertible_to<data::position>;
  d.restore(d.position());
};
template <class V>
concept growing_numbers = element<typename V::value_type> && requires(V& v, std::size_t n) {
  v.resize(n);
  { v.data() } -> std::same_as<typename V::value_type*>;
} && !xtensor_expression<V>;

template <class V>
concept growing_numbers_or_array =
    growing_numbers<V> || (xtensor_expression<V> && element<typename V::value_type> && requires(V& v) {
      { *v.data() } -> std::same_as<typename V::value_type&>;
    });

/// Variables under their own names, behind that of the part. `Source`: a reference to what has them, or a list of them.
template <class Source>
class variables_part final : public checkpoint_part {
 public:
  variables_part(std::string name, Source source) : checkpoint_part(std::move(name)), source_(static_cast<Source&&>(source)) {}

  void save(saved_values& to) const override {
    for (const auto& variable : list()) {
      const auto shape = variable.shape();
      std::vector<std::int64_t> extents(shape.begin(), shape.end());
      if constexpr (requires { variable.data(); })
        to.add(name_of(variable.name()), variable.type(), std::move(extents), variable.data());
      else
        variable.copy_to(to.add(name_of(variable.name()), variable.type(), std::move(extents)));
    }
    for_each_draws([&](const std::string& path, const random_state& state, auto&&) {
      const std::uint64_t numbers[] = {state.seed, state.runs};
      std::memcpy(to.add(name_of(path), dtype::uint64, {2}), numbers, sizeof numbers);
    });
  }
  void expect(std::vector<expected_tensor>& expected) const override {
    for (const auto& variable : list()) {
      const auto shape = variable.shape();
      expected.emplace_back(name_of(variable.name()), variable.type(), std::vector<std::int64_t>(shape.begin(), shape.end()));
    }
    for_each_draws([&](const std::string& path, const random_state&, auto&&) {
      expected.emplace_back(name_of(path), dtype::uint64, std::vector<std::int64_t>{2});
    });
  }
  void check(const restored_values&) const override {
    // Throws while a run is going on.
    for_each_draws([](const std::string&, const random_state& state, auto&& set) { set(state); });
  }
  void restore(const restored_values& values) override {
    for (auto variable : list())
      if (const format::named_tensor* t = find_value(values, name_of(variable.name()))) variable.copy_from(t->array.bytes.data());
    for_each_draws([&](const std::string& path, const random_state&, auto&& set) {
      if (const format::named_tensor* t = find_value(values, name_of(path))) {
        std::uint64_t numbers[2];
        copy_value(*t, numbers);
        set(random_state{numbers[0], numbers[1]});
      }
    });
  }

 private:
  /// No variable has a dot in front, and so none this name.
  static constexpr const char* random_name = ".random_state";
  using source_type = std::remove_reference_t<Source>;

  /// f(its name behind the part's, the state of random draws, what sets it): of a session its own, of a module those of its sessions.
  template <class F>
  void for_each_draws(const F& f) const {
    if constexpr (has_module_state<source_type>) {
      for (const auto& draws : source_.checkpoint_state().draws) {
        const auto numbers = draws.get();
        f(draws.path + "/" + random_name, random_state{numbers[0], numbers[1]},
          [&](const random_state& state) { draws.set({state.seed, state.runs}); });
      }
    } else if constexpr (has_random_state<source_type>) {
      f(random_name, source_.random_state(), [&](const random_state& state) { source_.set_random_state(state); });
    }
  }
  auto list() const {
    if constexpr (has_module_state<source_type>)
      return source_.checkpoint_state().variables;
    else if constexpr (lists_variables<source_type>)
      return source_.variables();
    else
      return source_;
  }
  Source source_;
};

/// The position of a dataset.
template <has_position Dataset>
class dataset_part final : public checkpoint_part {
 public:
  dataset_part(std::string name, Dataset& dataset) : checkpoint_part(std::move(name)), dataset_(&dataset) {}

  void save(saved_values& to) const override {
    const data::position p = dataset_->position();
    to.add(name_of("dataset"), p.dataset);
    std::byte* state = to.add(name_of("position"), dtype::int64, {static_cast<std::int64_t>(p.state.size())});
    std::memcpy(state, p.state.data(), p.state.size() * sizeof p.state[0]);
  }
  void expect(std::vector<expected_tensor>& expected) const override {
    expected.emplace_back(name_of("dataset"));
    expected.emplace_back(name_of("position"), dtype::int64, std::vector<std::int64_t>{-1});
  }
  void check(const restored_values& values) const override {
    if (const auto p = position_in(values)) Dataset(*dataset_).restore(*p);
  }
  void restore(const restored_values& values) override {
    if (const auto p = position_in(values)) dataset_->restore(*p);
  }

 private:
  std::optional<data::position> position_in(const restored_values& values) const {
    const format::named_tensor *dataset = find_value(values, name_of("dataset")), *state = find_value(values, name_of("position"));
    if (dataset == nullptr || state == nullptr) return std::nullopt;
    data::position p{dataset->strings[0], std::vector<std::int64_t>(static_cast<std::size_t>(state->array.extents[0]))};
    copy_value(*state, p.state.data());
    return p;
  }
  Dataset* dataset_;
};

/// A number, a string, a vector of numbers, which takes any length, or an array of xtensor's, which keeps its shape.
template <class T>
class value_part final : public checkpoint_part {
 public:
  value_part(std::string name, T& value) : checkpoint_part(std::move(name)), value_(std::addressof(value)) {}

  void save(saved_values& to) const override {
    if constexpr (std::is_same_v<T, std::string>) {
      to.add(name(), *value_);
    } else if constexpr (element<T>) {
      std::memcpy(to.add(name(), dtype_of<T>, {}), value_, sizeof *value_);
    } else {
      using value_type = typename T::value_type;
      if constexpr (growing_numbers<T>)
        to.add(name(), dtype_of<value_type>, extents(), value_->data());
      else
        std::copy(value_->template cbegin<xt::layout_type::row_major>(), value_->template cend<xt::layout_type::row_major>(),
                  reinterpret_cast<value_type*>(to.add(name(), dtype_of<value_type>, extents())));
    }
  }
  void expect(std::vector<expected_tensor>& expected) const override {
    if constexpr (std::is_same_v<T, std::string>)
      expected.emplace_back(name());
    else if constexpr (element<T>)
      expected.emplace_back(name(), dtype_of<T>, std::vector<std::int64_t>{});
    else
      expected.emplace_back(name(), dtype_of<typename T::value_type>,
                            growing_numbers<T> ? std::vector<std::int64_t>{-1} : extents());
  }
  void restore(const restored_values& values) override {
    const format::named_tensor* t = find_value(values, name());
    if (t == nullptr) return;
    if constexpr (std::is_same_v<T, std::string>) {
      *value_ = t->strings[0];
    } else if constexpr (element<T>) {
      copy_value(*t, value_);
    } else if constexpr (growing_numbers<T>) {
      value_->resize(static_cast<std::size_t>(t->array.extents[0]));
      copy_value(*t, value_->data());
    } else {
      const std::byte* from = t->array.bytes.data();
      for (auto to = value_->template begin<xt::layout_type::row_major>(); to != value_->template end<xt::layout_type::row_major>();
           ++to, from += sizeof(typename T::value_type))
        std::memcpy(&*to, from, sizeof(typename T::value_type));
    }
  }

 private:
  std::vector<std::int64_t> extents() const {
    std::vector<std::int64_t> e;
    if constexpr (growing_numbers<T>)
      e.push_back(static_cast<std::int64_t>(value_->size()));
    else
      for (const auto extent : value_->shape()) e.push_back(static_cast<std::int64_t>(extent));
    return e;
  }
  T* value_;
};

}  // namespace etch::detail
