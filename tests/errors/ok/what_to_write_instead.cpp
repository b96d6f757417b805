// SPDX-License-Identifier: MIT
// What errors say to write instead is right: every text of `instead_write`.
#include <etch/control.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"y", float, 2, 3> y;
constexpr placeholder<"labels", int, 2> labels;
constexpr auto w = variable<"w">(zeros(shape<2, 3>{}));

int main() {
  constexpr placeholder<"condition", bool, 2, 3> condition;
  (void)where(condition, x, y);
  constexpr placeholder<"some", float, any<"batch">, 3> some;
  (void)sum(some);
  (void)sum(x, axis<0>);
  (void)sum(x, axis<0, 1>);
  (void)sum(x, axis<0>, keep_dims);
  (void)maximum(x, y);
  (void)mean(x, axis<0>);
  (void)variance(x, axis<0>);
  (void)argmax(x, axis<0>);
  (void)softmax(x, axis<-1>);
  (void)log_softmax(x, axis<-1>);
  (void)logsumexp(x, axis<-1>);
  (void)cumsum(x, axis<0>);
  (void)linear_recurrence(x, y, axis<0>);
  (void)reshape(x, shape<3, 2>{});
  (void)broadcast_to(sum(x), shape<3, 2>{});
  (void)transpose(x, axis<1, 0>);
  (void)expand_dims(x, axis<0>);
  (void)squeeze(expand_dims(x, axis<0>), axis<0>);
  (void)flip(x, axis<0>);
  (void)slice(x, section<1, 3>, section<>);
  (void)slice(x, section<0, 1>);
  (void)pad(x, padding<1, 1>, padding<0>);
  (void)zeros(shape<2, 3>{});
  (void)ones(shape<2, 3>{});
  (void)full(shape<2, 3>{}, 0.5_c);
  (void)one_hot<10>(labels);
  (void)split<2>(x, axis<0>);
  {
    constexpr auto f = [](auto, auto state) { return state; };
    (void)for_range<16>(f, x);
  }
  (void)arange<int>(shape<10>{});
  (void)astype<float>(x);
  (void)named<"y">(x * x);
  constexpr auto f = [](auto in, auto x) { return x; };
  (void)scope<"a">(f, x);
  (void)named<"y">(astype<float>(2_c));
  (void)concat(axis<0>, x, y);
  (void)stack(axis<0>, x, y);
  (void)clip(x, 0_c, 1_c);
  (void)relu(x);
  (void)executing_eagerly(x);
  (void)gelu(x);
  (void)silu(x);
  (void)softplus(x);
  (void)square(x);
  (void)isnan(x);
  (void)matrix_transpose(x);
  (void)matmul(x, transpose(y));
  (void)dropout<"noise">(x, 0.5_c);
  (void)random_uniform<"noise">(shape<3>{});
  (void)nn::dense<"first", 4>(x);
  (void)layer_norm(x, y, y);
  (void)nn::mean_squared_error(x, y);
  (void)nn::sigmoid_cross_entropy(x, y);
  (void)nn::softmax_cross_entropy(x, y);
  (void)nn::sparse_softmax_cross_entropy(x, labels);
  (void)assign_add(w, x);
  (void)gradients(sum(w), w);
  (void)find_variable<"w">(w * x);
  constexpr auto train = optimizers::adam(1e-3_c).minimize(sum(w * x), w);
  constexpr auto step = optimizers::sgd(1e-3_c).apply_gradients(optimizers::clip_by_global_norm(gradients(sum(w), w), 1_c), w);
  (void)optimizers::momentum(1e-3_c);
  (void)optimizers::adamw(1e-3_c);
  (void)optimizers::sgd(1e-3_c).minimize(sum(w));
  (void)assign(w, w + x);
  (void)assign_sub(w, x);
  (void)gradient(sum(w), w);
  constexpr auto all = group(assign(w, x), step);
  constexpr auto late = after(w, assign(w, y));
  (void)plan_of(x * y, x, y);
  session s(train, all, late, x * y);
  s.set(w, {{1, 2, 3}, {4, 5, 6}});
  s.set<"w">({{1, 2, 3}, {4, 5, 6}});
  (void)s.get(w);
  (void)s.get<"w">();
  const xt::xtensor<float, 2> values = {{1, 2, 3}, {4, 5, 6}};
  (void)s.run(x * y, sum(x), x = values, y = values);
  (void)s.run(x * y, x = std::span(values.data(), 6), y = values);
  s.run(train, x = values);
  auto bound = s.bind(x * y, x = values, y = values);
  (void)bound();
  (void)bound(values.data(), values.data());
  etch::step<void(const float*, const float*)> stored = std::move(bound);
  stored(values.data(), values.data());
  etch::step<float(const float*)> of_one = s.bind(sum(x), x = values);
  (void)of_one(values.data());
}
