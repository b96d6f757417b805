// SPDX-License-Identifier: MIT
#pragma once
#include <charconv>
#include <optional>

#include <etch/base/formatted.hpp>
#include <etch/checkpoint/file.hpp>

/// The file `checkpoint` of a folder, in which TensorFlow notes which checkpoints there are: a message CheckpointState in Protocol Buffers'
/// text format.
namespace etch::detail {

struct checkpoint_state {
  struct entry {
    std::string path;  ///< from the folder on
    double time = 0;   ///< seconds since 1970
  };
  std::string latest;
  std::vector<entry> all;  ///< from the oldest to the newest
  double last_preserved = 0;
};

inline std::filesystem::path state_file(const std::filesystem::path& folder) { return folder / "checkpoint"; }

/// In quotes; bytes that are no ASCII as octal numbers.
inline std::string quoted_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || byte < 0x20 || byte >= 0x7f) {
      quoted += '\\';
      if (c != '"' && c != '\\') {
        for (int shift = 6; shift >= 0; shift -= 3) quoted += static_cast<char>('0' + (byte >> shift & 7));
        continue;
      }
    }
    quoted += c;
  }
  return quoted + '"';
}

inline void write_state(const std::filesystem::path& folder, const checkpoint_state& state) {
  std::string text = "model_checkpoint_path: " + quoted_text(state.latest) + "\n";
  const auto number = [](double seconds) { return formatted("%.17g\n", seconds); };
  for (const auto& e : state.all) text += "all_model_checkpoint_paths: " + quoted_text(e.path) + "\n";
  for (const auto& e : state.all) text += "all_model_checkpoint_timestamps: " + number(e.time);
  text += "last_preserved_timestamp: " + number(state.last_preserved);
  format::output_file file(state_file(folder));
  file.write(text);
  file.commit();
}

/// Reads lines `name: "text"` and `name: number`.
class state_parser {
 public:
  state_parser(std::string_view text, const std::string& file) : text_(text), errors_({}, file) {}

  checkpoint_state parse() {
    checkpoint_state state;
    std::size_t times = 0;
    for (skip_spaces(); at_ < text_.size(); skip_spaces()) {
      const std::string_view key = take_while([](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
      skip_spaces();
      if (key.empty() || next() != ':') wrong("a line is a name, a colon and a value");
      ++at_;
      skip_spaces();
      if (key == "model_checkpoint_path") {
        state.latest = string();
      } else if (key == "all_model_checkpoint_paths") {
        state.all.push_back({string()});
      } else if (key == "all_model_checkpoint_timestamps") {
        const double time = number();
        if (times < state.all.size()) state.all[times++].time = time;
      } else if (key == "last_preserved_timestamp") {
        state.last_preserved = number();
      } else {
        next() == '"' ? void(string()) : void(number());
      }
    }
    return state;
  }

 private:
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  template <class F>
  std::string_view take_while(const F& is_part) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_part(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  void skip_spaces() {
    take_while([](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  }
  double number() {
    const std::size_t begin = at_;
    const std::string_view digits =
        take_while([](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e'; });
    double value = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failure != std::errc() || end != digits.data() + digits.size()) errors_.wrong_at(begin, "this is no number");
    return value;
  }
  std::string string() {
    if (next() != '"') wrong("a path stands in quotes");
    std::string value;
    for (++at_; next() != '"'; ++at_) {
      if (next() == '\0' || next() == '\n') wrong("a text does not end");
      if (next() == '\\') {
        ++at_;
        escape(value);
      } else {
        value += next();
      }
    }
    ++at_;
    return value;
  }
  /// The character at which it ends is passed by the caller.
  void escape(std::string& value) {
    constexpr std::string_view letters = "\"'\\nrt", meant = "\"'\\\n\r\t";
    if (const std::size_t found = letters.find(next()); found != letters.npos) {
      value += meant[found];
      return;
    }
    int code = 0, digits = 0;
    for (; digits < 3 && next() >= '0' && next() <= '7'; ++digits, ++at_) code = code * 8 + (next() - '0');
    if (digits == 0 || code > 255) wrong("this is no escape");
    --at_;
    value += static_cast<char>(code);
  }
  [[noreturn]] void wrong(const char* what) const { errors_.wrong_at(at_, "%s", what); }

  std::string_view text_;
  format::byte_reader errors_;
  std::size_t at_ = 0;
};

/// Nothing where the folder has no such file.
inline std::optional<checkpoint_state> read_state(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::exists(state_file(folder), ignored)) return std::nullopt;
  const format::input_file file(state_file(folder));
  const auto bytes = file.bytes();
  return state_parser({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file.name()).parse();
}

}  // namespace etch::detail

namespace etch {

/// The path of the newest checkpoint of a folder, to be restored: that which the folder's file `checkpoint` names, or, where that is not
/// there any more, the newest one that is of those it lists. Throws `etch::error` where that file cannot be read.
inline std::optional<std::filesystem::path> latest_checkpoint(const std::filesystem::path& folder) {
  const auto state = detail::read_state(folder);
  if (!state) return std::nullopt;
  if (const auto latest = folder / state->latest; !state->latest.empty() && detail::has_checkpoint(latest)) return latest;
  for (std::size_t i = state->all.size(); i-- > 0;)
    if (const auto path = folder / state->all[i].path; detail::has_checkpoint(path)) return path;
  return std::nullopt;
}

}  // namespace etch
