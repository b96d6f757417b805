// SPDX-License-Identifier: MIT
// oneDNN: the suite's cases that its primitives compute. Chains are one primitive with post-ops.
#include <deque>

#include <oneapi/dnnl/dnnl.hpp>

#include "worker.hpp"

using namespace bench::suite;
using dnnl::algorithm;
using dnnl::memory;
using dims = memory::dims;
using tag = memory::format_tag;

namespace {

constexpr auto inference = dnnl::prop_kind::forward_inference;

const dnnl::engine& cpu() {
  static const dnnl::engine e(dnnl::engine::kind::cpu, 0);
  return e;
}
memory::desc described(const dims& extents, tag order, memory::data_type type = memory::data_type::f32) {
  return {extents, type, order};
}
tag row_major(std::size_t axes) { return axes == 1 ? tag::a : axes == 2 ? tag::ab : axes == 3 ? tag::abc : tag::abcd; }

/// Primitives that run one after another.
class sequence {
 public:
  memory array(const dims& extents) { return kept_.emplace_back(described(extents, row_major(extents.size())), cpu()); }
  memory array(const memory::desc& d) { return kept_.emplace_back(d, cpu()); }
  memory filled(std::uint32_t number, const memory::desc& d, float scale = 1) {
    const memory m = array(d);
    fill(number, data(m), d.get_size() / sizeof(float), scale);
    return m;
  }
  memory filled(std::uint32_t number, const dims& extents, float scale = 1) {
    return filled(number, described(extents, row_major(extents.size())), scale);
  }
  void add(const dnnl::primitive& p, std::vector<std::pair<int, memory>> arguments) {
    step& s = steps_.emplace_back(step{p, {}});
    for (const auto& [what, m] : arguments) s.arguments.push_back({what, m.get()});
  }
  /// By the interface for C, which takes the arguments as they are: the one for C++ copies a map of them for each call.
  void run() {
    for (const step& s : steps_)
      dnnl::error::wrap_c_api(
          dnnl_primitive_execute(s.primitive.get(), stream_.get(), static_cast<int>(s.arguments.size()), s.arguments.data()),
          "execute");
    stream_.wait();
  }
  void forget_steps() { steps_.clear(); }
  template <class T>
  memory filled_bytes(std::uint32_t number, const memory::desc& d) {
    const memory m = array(d);
    fill(number, static_cast<T*>(m.get_data_handle()), d.get_size());
    return m;
  }
  static float* data(const memory& m) { return static_cast<float*>(m.get_data_handle()); }
  static std::vector<float> elements(const memory& m) {
    const std::size_t count = m.get_desc().get_size() / 4;
    if (m.get_desc().data_type() == memory::data_type::f32) return {data(m), data(m) + count};
    const auto* const sums = static_cast<const std::int32_t*>(m.get_data_handle());
    return {sums, sums + count};
  }

 private:
  struct step {
    dnnl::primitive primitive;
    std::vector<dnnl_exec_arg_t> arguments;
  };
  dnnl::stream stream_{cpu()};
  std::deque<memory> kept_;
  std::vector<step> steps_;
};

/// prepare: adds the primitives to a sequence and gives the memory of the result.
template <class Prepare>
void add(worker& w, const std::string& name, Prepare prepare) {
  w.add(name, "oneDNN", 0, 0, [prepare] {
    const auto s = std::make_shared<sequence>();
    const memory result = prepare(*s);
    return make_job([s] { s->run(); },
                    [s, result] {
                      s->run();
                      return sequence::elements(result);
                    });
  });
}

std::string shape(std::int64_t m, std::int64_t n) { return std::string("(") + std::to_string(m) + ", " + std::to_string(n) + ")"; }

void add_eltwise(sequence& s, algorithm a, const memory& from, const memory& to) {
  const dnnl::eltwise_forward::desc d(inference, a, from.get_desc(), 0, 0);
  s.add(dnnl::eltwise_forward({d, cpu()}), {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
}

/// The first op is a binary primitive, all others are its post-ops.
void add_chain(worker& w, const std::string& name, int ops, std::int64_t n) {
  add(w, name, [ops, n](sequence& s) {
    const memory x = s.filled(1, {n}), y = s.filled(2, {n}), z = s.array({n}), half = s.array(dims{1});
    *sequence::data(half) = 0.5f;
    dnnl::post_ops after;
    std::vector<std::pair<int, memory>> arguments = {{DNNL_ARG_SRC_0, x}, {DNNL_ARG_SRC_1, ops == 3 ? y : half}, {DNNL_ARG_DST, z}};
    const auto operand = [&](algorithm a, const memory& m) {
      arguments.push_back({DNNL_ARG_ATTR_MULTIPLE_POST_OP(after.len()) | DNNL_ARG_SRC_1, m});
      after.append_binary(a, m.get_desc());
    };
    if (ops == 3) {
      after.append_eltwise(1, algorithm::eltwise_linear, 0.5f, 0);
      operand(algorithm::binary_sub, x);
    } else {
      for (int i = 0; i < ops / 2; ++i) {
        if (i > 0) after.append_eltwise(1, algorithm::eltwise_linear, 0.5f, 0);
        operand(algorithm::binary_add, y);
      }
    }
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(after);
    const dnnl::binary::desc d(ops == 3 ? algorithm::binary_add : algorithm::binary_mul, x.get_desc(),
                               arguments[1].second.get_desc(), z.get_desc());
    s.add(dnnl::binary({d, attributes, cpu()}), arguments);
    return z;
  });
}

/// Behind an eltwise primitive a binary post-op would be left to the reference implementation, behind a binary one it is not.
void add_functions(worker& w, std::int64_t n) {
  add(w, "P1 log(exp(x) + 0.5) * tanh(y), " + std::to_string(n), [n](sequence& s) {
    const memory x = s.filled(1, {n}), y = s.filled(2, {n}), t = s.array({n}), z = s.array({n}), half = s.array(dims{1});
    *sequence::data(half) = 0.5f;
    add_eltwise(s, algorithm::eltwise_tanh, y, t);
    add_eltwise(s, algorithm::eltwise_exp, x, z);
    dnnl::post_ops after;
    after.append_eltwise(1, algorithm::eltwise_log, 0, 0);
    after.append_binary(algorithm::binary_mul, t.get_desc());
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(after);
    const dnnl::binary::desc d(algorithm::binary_add, z.get_desc(), half.get_desc(), z.get_desc());
    s.add(
        dnnl::binary({d, attributes, cpu()}),
        {{DNNL_ARG_SRC_0, z}, {DNNL_ARG_SRC_1, half}, {DNNL_ARG_DST, z}, {DNNL_ARG_ATTR_MULTIPLE_POST_OP(1) | DNNL_ARG_SRC_1, t}});
    return z;
  });
}

/// Along columns it has the reference implementation only, which takes 190 times etch's time: it does not take part there.
void add_reduction(worker& w, const std::string& name, algorithm a, std::int64_t m, std::int64_t n) {
  add(w, name, [a, m, n](sequence& s) {
    const memory x = s.filled(1, {m, n}), y = s.array({m, 1});
    const dnnl::reduction::desc d(a, x.get_desc(), y.get_desc(), 0, 0);
    s.add(dnnl::reduction({d, cpu()}), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}});
    return y;
  });
}

void add_rows(worker& w, std::int64_t m, std::int64_t n) {
  add_reduction(w, "P2 sum along rows " + shape(m, n), algorithm::reduction_sum, m, n);
  add_reduction(w, "P2 max along rows " + shape(m, n), algorithm::reduction_max, m, n);
  add(w, "P2 softmax along rows " + shape(m, n), [m, n](sequence& s) {
    const memory x = s.filled(1, {m, n}), y = s.array({m, n});
    const dnnl::softmax_forward::desc d(inference, x.get_desc(), 1);
    s.add(dnnl::softmax_forward({d, cpu()}), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}});
    return y;
  });
  add(w, "P2 layer norm of rows " + shape(m, n), [m, n](sequence& s) {
    const memory x = s.filled(1, {m, n}), y = s.array({m, n});
    const dnnl::layer_normalization_forward::desc d(inference, x.get_desc(), 1e-5f, dnnl::normalization_flags::none);
    s.add(dnnl::layer_normalization_forward({d, cpu()}), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}});
    return y;
  });
}

/// Row-major matrices, or their transposes; with a bias and a function where they are wanted.
void add_product(worker& w, const std::string& name, std::int64_t m, std::int64_t k, std::int64_t n, tag left, tag right,
                 algorithm function = algorithm::undef, float scale = 1) {
  add(w, name, [=](sequence& s) {
    const bool biased = function != algorithm::undef;
    const memory a = s.filled(1, described({m, k}, left)), b = s.filled(2, described({k, n}, right), scale), c = s.array({m, n});
    dnnl::post_ops after;
    if (biased) after.append_eltwise(1, function, 0, 0);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(after);
    std::vector<std::pair<int, memory>> arguments = {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}};
    if (!biased) {
      const dnnl::matmul::desc d(a.get_desc(), b.get_desc(), c.get_desc());
      s.add(dnnl::matmul({d, attributes, cpu()}), arguments);
    } else {
      const memory bias = s.filled(3, {1, n});
      const dnnl::matmul::desc d(a.get_desc(), b.get_desc(), bias.get_desc(), c.get_desc());
      arguments.push_back({DNNL_ARG_BIAS, bias});
      s.add(dnnl::matmul({d, attributes, cpu()}), arguments);
    }
    return c;
  });
}

/// Of uint8 and int8, with sums in int32.
void add_product_of_bytes(worker& w, const std::string& name, std::int64_t m, std::int64_t k, std::int64_t n, tag right) {
  add(w, name, [=](sequence& s) {
    using type = memory::data_type;
    const memory a = s.filled_bytes<std::uint8_t>(1, described({m, k}, tag::ab, type::u8)),
                 b = s.filled_bytes<std::int8_t>(2, described({k, n}, right, type::s8)),
                 c = s.array(described({m, n}, tag::ab, type::s32));
    const dnnl::matmul::desc d(a.get_desc(), b.get_desc(), c.get_desc());
    s.add(dnnl::matmul({d, cpu()}), {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}});
    return c;
  });
}

void add_products(worker& w) {
  const auto name = [](std::int64_t m, std::int64_t k, std::int64_t n, const char* form) {
    return "P3 " + shape(m, k) + " x " + shape(k, n) + form;
  };
  for (const std::int64_t n : {4, 8, 16, 32, 64, 100, 128, 256, 512, 1024, 2048})
    add_product(w, name(n, n, n, ""), n, n, n, tag::ab, tag::ab);
  add_product(w, name(50, 784, 100, ""), 50, 784, 100, tag::ab, tag::ab);
  for (const std::int64_t m : {1, 64, 512}) add_product(w, name(m, 2048, 2048, ""), m, 2048, 2048, tag::ab, tag::ab);
  for (const std::int64_t m : {16, 32}) add_product(w, name(m, 1024, 1024, ", right transposed"), m, 1024, 1024, tag::ab, tag::ba);
  add_product(w, name(1, 4096, 4096, ""), 1, 4096, 4096, tag::ab, tag::ab);
  add_product(w, name(1, 4096, 4096, ", right transposed"), 1, 4096, 4096, tag::ab, tag::ba);
  const char *const bytes = ", uint8 times int8", *const transposed = ", uint8 times int8, right transposed";
  add_product_of_bytes(w, name(256, 256, 256, bytes), 256, 256, 256, tag::ab);
  add_product_of_bytes(w, name(1024, 1024, 1024, bytes), 1024, 1024, 1024, tag::ab);
  add_product_of_bytes(w, name(1024, 1024, 1024, transposed), 1024, 1024, 1024, tag::ba);
  add_product_of_bytes(w, name(1, 4096, 4096, bytes), 1, 4096, 4096, tag::ab);
  add_product_of_bytes(w, name(1, 4096, 4096, transposed), 1, 4096, 4096, tag::ba);
  for (const std::int64_t n : {64, 512}) {
    add_product(w, name(n, n, n, ", left transposed"), n, n, n, tag::ba, tag::ab);
    add_product(w, name(n, n, n, ", right transposed"), n, n, n, tag::ab, tag::ba);
  }
  add_product(w, name(256, 256, 256, " + bias, relu"), 256, 256, 256, tag::ab, tag::ab, algorithm::eltwise_relu);
  add_product(w, name(256, 256, 256, " + bias, gelu"), 256, 256, 256, tag::ab, tag::ab, algorithm::eltwise_gelu_erf);
  add_product(w, name(50, 3136, 1024, " + bias, relu"), 50, 3136, 1024, tag::ab, tag::ab, algorithm::eltwise_relu);
  for (const std::int64_t n : {4, 16, 64})
    add_product(w, "P4 dense " + std::to_string(n) + " x " + std::to_string(n) + ", tanh, one sample", 1, n, n, tag::ab, tag::ab,
                algorithm::eltwise_tanh, 0.25f);
}

/// Images with channels last, as etch has them. The kernel is brought into the order that oneDNN chooses before the clock starts.
void add_convolution(worker& w, std::int64_t batch, std::int64_t size, std::int64_t channels, std::int64_t filters) {
  const std::string extents = std::to_string(size) + ", " + std::to_string(size) + ", " + std::to_string(channels);
  const std::string name =
      "P6 convolution 5 x 5, (" + std::to_string(batch) + ", " + extents + " to " + std::to_string(filters) + "), + bias, relu";
  add(w, name, [=](sequence& s) {
    const memory x = s.filled(1, described({batch, channels, size, size}, tag::nhwc)), bias = s.filled(3, {filters});
    const memory given = s.filled(2, described({filters, channels, 5, 5}, tag::hwio));
    const memory y = s.array(described({batch, filters, size, size}, tag::nhwc));
    dnnl::post_ops after;
    after.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(after);
    const dnnl::convolution_forward::desc d(inference, algorithm::convolution_auto, x.get_desc(),
                                            described({filters, channels, 5, 5}, tag::any), bias.get_desc(), y.get_desc(), {1, 1},
                                            {2, 2}, {2, 2});
    const dnnl::convolution_forward::primitive_desc chosen(d, attributes, cpu());
    const memory kernel = s.array(chosen.weights_desc());
    s.add(dnnl::reorder(given, kernel), {{DNNL_ARG_FROM, given}, {DNNL_ARG_TO, kernel}});
    s.run();
    s.forget_steps();
    s.add(dnnl::convolution_forward(chosen),
          {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, kernel}, {DNNL_ARG_BIAS, bias}, {DNNL_ARG_DST, y}});
    return y;
  });
}

}  // namespace

int main() {
  worker w;
  for (const std::int64_t n : {1000, 1000000, 60000000}) {
    for (const int ops : {3, 10, 30}) add_chain(w, "P1 chain of " + std::to_string(ops) + ", " + std::to_string(n), ops, n);
    add_functions(w, n);
  }
  for (const auto& [m, n] : {std::pair{512, 1024}, {32, 50000}, {1000000, 8}}) add_rows(w, m, n);
  add_products(w);
  for (const int ops : {10, 30}) add_chain(w, "P4 chain of " + std::to_string(ops) + " nodes, 64 floats", ops, 64);
  add_convolution(w, 50, 28, 1, 32);
  add_convolution(w, 50, 14, 32, 64);
  return w.serve();
}
