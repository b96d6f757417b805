// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <etch/module.hpp>
#include <etch/checkpoint.hpp>
#include <etch/function.hpp>
#include <etch/print.hpp>

/// Modules: TensorFlow's tf.Module.
namespace {

using namespace etch;
using namespace etch::literals;

template <class List>
std::string text_of(const List& variables) {
  std::ostringstream s;
  for (const auto& v : variables) s << v << "\n";
  return s.str();
}
template <class List>
std::vector<std::string> names_of(const List& all) {
  std::vector<std::string> names;
  for (const auto& v : all) names.emplace_back(v.name());
  return names;
}
using texts = std::vector<std::string>;

struct DemoModule : module<DemoModule> {
  explicit DemoModule(float initial) : x(tensor(initial)) {}
  auto add_print(const tensor<float, 0>& a) {
    x.assign_add(a);
    return print(x.read());
  }
  eager::variable<float, 0> x;
  ETCH_MEMBERS(x)
};

struct dense : module<dense> {
  eager::variable<float, 2> kernel{tensor<float, 2>{{1, 2}, {3, 4}}};
  eager::variable<float, 1> bias{tensor<float, 1>{0, 0}};
  eager::variable<std::int64_t, 0> calls{tensor<std::int64_t, 0>(0), not_trainable};
  auto operator()(const tensor<float, 2>& x) {
    calls.assign_add(tensor<std::int64_t, 0>(1));
    return matmul(x, kernel.read()) + bias.read();
  }
  ETCH_MEMBERS(kernel, bias, calls)
};
struct network : module<network> {
  using module::module;
  dense first;
  std::vector<dense> more = std::vector<dense>(2);
  int count = 3;
  ETCH_MEMBERS(first, more, count)
};

/// A traced function as a member, with a variable of its own.
struct counter : module<counter> {
  struct body {
    auto operator()(auto a) const { return print(assign_add(variable<"x">(literal<1.f>), a)); }
  };
  using signature = std::remove_const_t<decltype(input_signature<tensor_spec<float>>)>;
  function<body, signature> add_print{body{}, {}};
  function<body> twice{body{}};
  ETCH_MEMBERS(add_print, twice)
};

struct printed {
  printed() : before(print_to(&out)) {}
  ~printed() { print_to(before); }
  std::ostringstream out;
  std::ostream* before;
};

}  // namespace

TEST_CASE("AT-14, MOD-01, MOD-02, MOD-03: a module prints, and lists its variables under its class's name") {
  DemoModule demo(1.f);
  printed lines;
  CHECK(demo.add_print(5.f).item() == 6.f);
  CHECK(lines.out.str() == "6\n");
  CHECK(demo.name() == "demo_module");
  const std::string x = "etch.variable(\"demo_module/x\", 6.0, shape=(), dtype=float32)\n";
  CHECK(text_of(demo.variables()) == x);
  CHECK(text_of(demo.trainable_variables()) == x);
  CHECK(demo.submodules().empty());
  // Saved and restored it goes on from there.
  const auto path = std::filesystem::temp_directory_path() / ("etch_module_" + std::to_string(::getpid()));
  checkpoint saved;
  saved.track("", demo).save(path.string());
  DemoModule other(0.f);
  checkpoint restored;
  restored.track("", other).restore(path.string());
  CHECK(other.add_print(5.f).item() == 11.f);
  for (const char* file : {".index", ".data-00000-of-00001"}) std::filesystem::remove(path.string() + file);
}
TEST_CASE("AT-15, MOD-05: a module of members that are given to it") {
  eager::variable<float, 0> x(tensor(0.f));
  auto my_module = make_module<"x", "add_print">(x, [x](const tensor<float, 0>& a) mutable {
    x.assign_add(a);
    return print(x.read());
  });
  printed lines;
  CHECK(my_module.get<"add_print">()(1.f).item() == 1.f);
  CHECK(lines.out.str() == "1\n");
  CHECK(text_of(my_module.variables()) == "etch.variable(\"x\", 1.0, shape=(), dtype=float32)\n");
  CHECK(my_module.get<"x">().read().item() == 1.f);
  CHECK(my_module.get<"add_print">()(5.f).item() == 6.f);
}
TEST_CASE("MOD-03, MOD-04: modules in modules, and variables that are not trained") {
  network net("net");
  CHECK(net.name() == "net");
  CHECK(names_of(net.variables()) == texts{"net/first/kernel", "net/first/bias", "net/first/calls", "net/more/0/kernel",
                                           "net/more/0/bias", "net/more/0/calls", "net/more/1/kernel", "net/more/1/bias",
                                           "net/more/1/calls"});
  CHECK(names_of(net.trainable_variables()).size() == 6);
  CHECK(net.submodules().size() == 3);
  CHECK(net.submodules()[2]->name() == "dense");
  CHECK(network().name() == "network");
  net.first({{1, 1}});
  CHECK(net.variables()[2].get<std::int64_t>() == std::vector<std::int64_t>{1});
  CHECK(net.variables()[5].get<std::int64_t>() == std::vector<std::int64_t>{0});
  CHECK_THROWS_WITH_AS(net.variables()[0].get<double>(), "variable \"net/first/kernel\": its elements are float32, not float64",
                       error);
}
TEST_CASE("MOD-02: constant variables are listed, those of several members once, and paths are no modules") {
  struct named_twice : module<named_twice> {
    std::filesystem::path folder = "logs/train";
    std::vector<std::filesystem::path> files = {"a", "b"};
    const eager::variable<float, 0> kept{tensor<float, 0>(1.f)};
    eager::variable<float, 0> first{tensor<float, 0>(2.f)}, again = first;
    ETCH_MEMBERS(folder, files, kept, first, again)
  };
  named_twice m;
  CHECK(names_of(m.variables()) == texts{"named_twice/kept", "named_twice/first"});
}
TEST_CASE("MOD-02, MOD-04: what may hold modules and variables is looked into") {
  struct unknown;
  struct holder : module<holder> {
    std::optional<dense> may = dense(), none;
    std::unique_ptr<dense> owned = std::make_unique<dense>();
    std::shared_ptr<dense> shared = std::make_shared<dense>(), again = shared;
    dense* pointer = nullptr;
    std::vector<std::unique_ptr<dense>> list;
    std::vector<dense*> pointers = {owned.get(), nullptr};
    std::variant<int, dense> either = dense();
    std::optional<eager::variable<float, 0>> variable = eager::variable<float, 0>(tensor<float, 0>(1.f));
    std::reference_wrapper<dense> wrapped = *shared;
    const char* text = "no variable";
    std::unique_ptr<int> number;
    unknown* hidden = nullptr;
    holder* itself = this;
    ETCH_MEMBERS(may, none, owned, shared, again, pointer, list, pointers, either, variable, wrapped, text, number, hidden, itself)
  };
  holder h;
  dense outside, of_reference;
  h.pointer = &outside;
  h.wrapped = of_reference;
  h.list.push_back(std::make_unique<dense>());
  texts expected;
  for (const char* path : {"may", "owned", "shared", "pointer", "list/0", "either", "variable", "wrapped"}) {
    if (path != std::string("variable"))
      for (const char* name : {"kernel", "bias", "calls"}) expected.push_back("holder/" + std::string(path) + "/" + name);
    else
      expected.emplace_back("holder/variable");
  }
  CHECK(names_of(h.variables()) == expected);
  CHECK(h.submodules().size() == 7);
  h.may.reset();
  h.either = 1;
  CHECK(h.submodules().size() == 5);
}
TEST_CASE("MOD-01, KER-08: traced functions as members; their variables are there when they are known") {
  counter c;
  CHECK(names_of(c.variables()) == texts{"counter/x"});
  printed lines;
  CHECK(c.add_print(5.f).item() == 6.f);
  CHECK(c.variables()[0].get<float>()[0] == 6.f);
  c.twice(2.f);
  CHECK(names_of(c.variables()) == texts{"counter/x", "counter/x"});
}
TEST_CASE("MOD-02: names of modules are those of their classes, in words") {
  CHECK(etch::detail::module_name("DemoModule") == "demo_module");
  CHECK(etch::detail::module_name("(anonymous namespace)::HTTPServer<int, ns::X>") == "http_server");
  CHECK(etch::detail::module_name("f()::my_module") == "my_module");
  CHECK(etch::detail::module_name("Conv2D") == "conv2_d");
  CHECK(etch::detail::module_name("etch::AB2") == "ab2");
}
