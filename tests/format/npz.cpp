// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <map>

#include <etch/format/inflate.hpp>
#include <etch/format/npz.hpp>
#include <format/damage.hpp>

namespace {

using namespace etch;
using namespace etch::format;
using extents = std::vector<std::int64_t>;

npz_file in_memory(const files::bytes& b, inflate_function inflate = nullptr) { return npz_file(b, "x.npz", nullptr, inflate); }

const std::array<float, 6> weights = {1, 2, 3, 4, 5, 6};
const std::array<std::int64_t, 2> steps = {7, -8};
const array_view weights_array{dtype::float32, {2, 3}, std::as_bytes(std::span(weights))};
const array_view steps_array{dtype::int64, {2}, std::as_bytes(std::span(steps))};

void write_two(const std::filesystem::path& path) {
  npz_writer writer(path);
  writer.add("dense/kernel", weights_array);
  writer.add("steps", steps_array);
  writer.commit();
}
/// Whether they are the arrays of above. A damaged file may have another name for one, and nothing else that is wrong.
void check_two(const npz_file& file) {
  const std::map<std::string, array_view> expected{{"dense/kernel", weights_array}, {"steps", steps_array}};
  for (const std::string& name : file.names()) {
    const kept_array a = file.read(name);
    const auto e = expected.find(name);
    if (e == expected.end()) continue;
    CHECK(a.array.type == e->second.type);
    CHECK(a.array.extents == e->second.extents);
    CHECK(std::ranges::equal(a.array.bytes, e->second.bytes));
  }
}

}  // namespace

TEST_CASE("CRC-32 of the catalogue's example, and of what is in parts") {
  const files::bytes text = files::bytes_of("123456789 and 9 more");
  const std::span all(text);
  CHECK(crc32(all.first(9)) == 0xcbf43926u);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) CHECK(crc32(all.subspan(cut), crc32(all.first(cut))) == crc32(all));
}

TEST_CASE("npz: what is written is read, where vectors may load it, and what is there is said") {
  const files::folder folder("npz");
  write_two(folder / "x.npz");
  const npz_file file(folder / "x.npz");
  CHECK(file.names() == std::vector<std::string>{"dense/kernel", "steps"});
  CHECK(file.contains("steps"));
  CHECK_FALSE(file.contains("step"));
  kept_array a = file.read("dense/kernel");
  CHECK(reinterpret_cast<std::uintptr_t>(a.array.bytes.data()) % 64 == 0);
  expect(a, dtype::float32, 2);
  CHECK(values_of<float>(a)[5] == 6);
  check_two(file);
  const std::string name = (folder / "x.npz").string();
  CHECK_THROWS_WITH_AS(file.read("bias"), (name + ": it has no array \"bias\", but \"dense/kernel\", \"steps\"").c_str(), error);
  CHECK_THROWS_WITH_AS(expect(a, dtype::int32, 2),
                       (name + ": \"dense/kernel.npy\": it has float32 [2, 3], expected is int32 of 2 axes").c_str(), error);
  npz_writer again(folder / "y.npz");
  again.add("a", steps_array);
  CHECK_THROWS_WITH_AS(again.add("a", steps_array), ((folder / "y.npz").string() + ": a member \"a.npy\" is there already").c_str(),
                       error);
}

TEST_CASE("npz: a name that is no UTF-8, which NumPy could not read, is refused") {
  const files::folder folder("npz");
  npz_writer writer(folder / "x.npz");
  writer.add("gr\u00f6\u00dfe", steps_array);
  const std::string begin = (folder / "x.npz").string() + ": the name \"gr\xf6", end = "\" of a member is not UTF-8";
  CHECK_THROWS_WITH_AS(writer.add("gr\xf6", steps_array), (begin + ".npy" + end).c_str(), error);
  CHECK_THROWS_WITH_AS(writer.add_text("gr\xf6", "text"), (begin + end).c_str(), error);
  writer.commit();
  CHECK(npz_file(folder / "x.npz").names() == std::vector<std::string>{"gr\u00f6\u00dfe"});
}

TEST_CASE("npz: without commit nothing is written") {
  const files::folder folder("npz");
  files::write(folder / "x.npz", "old");
  {
    npz_writer writer(folder / "x.npz");
    writer.add("a", steps_array);
  }
  CHECK(files::bytes_at(folder / "x.npz") == files::bytes_of("old"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("npz: damaged files") {
  const files::folder folder("npz");
  write_two(folder / "x.npz");
  files::check_damaged(files::bytes_at(folder / "x.npz"), "x.npz: ", true, [](const files::bytes& b) { check_two(in_memory(b)); });
  CHECK_THROWS_WITH_AS(in_memory({}), "x.npz: at byte 0: it is no zip archive, or cut off: it does not end with a directory",
                       error);
}

TEST_CASE("npz: zip64, forced") {
  const files::folder folder("npz");
  {
    output_file file(folder / "wide.npz");
    zip_writer zip(file, 0);
    for (const auto& [name, array] : {std::pair("dense/kernel.npy", weights_array), std::pair("steps.npy", steps_array)})
      zip.add(name, {files::bytes_of(npy_header(array.type, array.extents)), array.bytes});
    zip.finish();
    file.commit();
  }
  check_two(npz_file(folder / "wide.npz"));
  CHECK(npz_file(folder / "wide.npz").names().size() == 2);
  files::check_damaged(files::bytes_at(folder / "wide.npz"), "x.npz: ", true,
                       [](const files::bytes& b) { check_two(in_memory(b)); });
  files::run_numpy(folder, R"(
with np.load(folder + 'wide.npz') as f:
  assert sorted(f.files) == ['dense/kernel', 'steps'] and (f['steps'] == [7, -8]).all() and f['dense/kernel'].sum() == 21
)");
}

TEST_CASE("npz: NumPy reads what is written, and the other way, compressed or not") {
  const files::folder folder("npz");
  write_two(folder / "x.npz");
  if (!files::run_numpy(folder, R"(
import zipfile
assert zipfile.ZipFile(folder + 'x.npz').testzip() is None
with np.load(folder + 'x.npz') as f:
  assert f.files == ['dense/kernel', 'steps']
  w, s = f['dense/kernel'], f['steps']
  assert w.dtype == np.float32 and (w == np.arange(1, 7).reshape(2, 3)).all() and s.dtype == np.int64 and (s == [7, -8]).all()
for name, save in ('stored', np.savez), ('deflated', np.savez_compressed):
  save(folder + name + '.npz', **{'dense/kernel': w, 'steps': s})
np.savez_compressed(folder + 'large.npz', a=np.arange(1000000) % 1000)
with zipfile.ZipFile(folder + 'comment.npz', 'w') as z:
  z.write(folder + 'x.npz', 'readme')
  z.comment = b'a comment'
np.savez(folder + 'empty.npz')
class Pipe:
  def __init__(self, path): self.file = open(path, 'wb')
  def write(self, b): return self.file.write(b)
  def flush(self): self.file.flush()
with zipfile.ZipFile(folder + 'stored.npz') as z, zipfile.ZipFile(Pipe(folder + 'piped.npz'), 'w', zipfile.ZIP_DEFLATED) as piped:
  for name in z.namelist(): piped.writestr(name, z.read(name))
)"))
    return;
  for (const char* name : {"stored", "deflated"}) {
    const npz_file file(folder / (std::string(name) + ".npz"), format::inflate);
    CHECK(file.names() == std::vector<std::string>{"dense/kernel", "steps"});
    check_two(file);
    files::check_damaged(files::bytes_at(folder / (std::string(name) + ".npz")), "x.npz: ", true,
                         [](const files::bytes& b) { check_two(in_memory(b, format::inflate)); });
  }
  // To what cannot go back, sizes are written behind the arrays.
  check_two(npz_file(folder / "piped.npz", format::inflate));
  CHECK(npz_file(folder / "piped.npz").names().size() == 2);
  const std::string deflated = (folder / "deflated.npz").string();
  CHECK_THROWS_WITH_AS(npz_file(deflated).read("steps"),
                       doctest::Contains("is deflated: give format::inflate of <etch/format/inflate.hpp>"), error);
  kept_array large = npz_file(folder / "large.npz", format::inflate).read("a");
  expect(large, dtype::int64, 1);
  REQUIRE(large.array.extents == extents{1000000});
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < 1000000; ++i) sum += values_of<std::int64_t>(large)[i];
  CHECK(sum == 499500000);
  CHECK(npz_file(folder / "comment.npz").names().empty());
  CHECK(npz_file(folder / "empty.npz").names().empty());
}
