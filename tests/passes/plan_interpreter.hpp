// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <etch/backend/cpu/target.hpp>
#include <etch/passes/memory.hpp>

#include "passes/interpreter.hpp"
#include "passes/live_set.hpp"

/// Plans as values, run step by step in memory that is laid out as a session would: what shows that a schedule is right.
namespace etch::interpreter {

/// Where each arena buffer lies, in bytes, and for how long; buffers in one place `share` it.
struct arena {
  std::vector<lifetime> places;  ///< one per buffer; only arena buffers that own their memory have bytes
  std::vector<int> owner;
  std::int64_t bytes = 0, least = 0;

  arena(const plan& p, const std::vector<std::int64_t>& extents) {
    const int n = p.buffers.size();
    std::vector<lifetime> placed;
    std::vector<int> at(static_cast<std::size_t>(n), -1), scratch(static_cast<std::size_t>(n) + 1);
    places.resize(static_cast<std::size_t>(n));
    for (int b = 0; b < n; ++b) {
      int o = b;
      while (p.buffers[o].shares >= 0) o = p.buffers[o].shares;
      owner.push_back(o);
    }
    for (int b = 0; b < n; ++b) {
      const auto o = static_cast<std::size_t>(owner[static_cast<std::size_t>(b)]);
      if (p.buffers[b].kind != storage::arena || p.buffers[b].first < 0) continue;
      if (at[o] < 0) {
        at[o] = static_cast<int>(placed.size());
        lifetime l;
        l.bytes = p.buffers[b].bytes(p.extents.evaluate(p.buffers[b].elements, extents.data()));
        l.first = p.buffers[b].first;
        l.last = p.buffers[b].last;
        placed.push_back(l);
      }
      lifetime& l = placed[static_cast<std::size_t>(at[o])];
      if (p.buffers[b].first < l.first) l.first = p.buffers[b].first;
      if (p.buffers[b].last > l.last) l.last = p.buffers[b].last;
    }
    bytes = place_buffers(placed.data(), scratch.data(), static_cast<int>(placed.size()));
    least = largest_live_set(placed.data(), static_cast<int>(placed.size()));
    for (std::size_t o = 0; o < places.size(); ++o)
      if (at[o] >= 0) places[o] = placed[static_cast<std::size_t>(at[o])];
  }
};

class plan_run {
 public:
  plan_run(const plan& p, const environment& e)
      : p_(p), e_(e), arena_(p, e.extents), memory_(static_cast<std::size_t>(p.buffers.size())) {
    // NaNs: what is read before it is written shows.
    bytes_.assign(static_cast<std::size_t>(arena_.bytes), static_cast<char>(0xff));
    for (int b = 0; b < p.buffers.size(); ++b) {
      const buffer& d = p.buffers[b];
      std::vector<char>& m = memory_[static_cast<std::size_t>(b)];
      if (d.kind != storage::arena)
        m.assign(static_cast<std::size_t>((d.kind == storage::extent ? 1 : value(d.elements)) * size_of_dtype(d.type)),
                 static_cast<char>(0xff));
      if (d.kind == storage::feed) fill(b, e.feeds.at(p.feeds[d.index].content));
      if (d.kind == storage::variable) fill(b, e.variables.at(p.variables[d.index].content));
      if (d.kind == storage::extent) put(b, 0, static_cast<double>(value(d.elements)));
    }
    for (int i = 0; i < p.steps.size(); ++i) run(p.steps[i]);
  }

  outcome result() const {
    outcome o;
    for (int i = 0; i < p_.fetches.size(); ++i) o.fetches.push_back(read(p_.fetches[i]));
    o.variables = e_.variables;
    for (int i = 0; i < p_.variables.size(); ++i) o.variables[p_.variables[i].content] = read(p_.variables[i]);
    return o;
  }

 private:
  std::int64_t value(extent_value e) const { return p_.extents.evaluate(e, e_.extents.data()); }

  /// The bytes of an element; throws where it lies outside of its buffer.
  char* address(int b, dtype type, std::int64_t element) {
    const buffer& d = p_.buffers[b];
    const std::int64_t count = d.kind == storage::extent ? 1 : value(d.elements);
    if (element < 0 || element >= count) throw std::logic_error("a step reaches outside of buffer " + std::to_string(b));
    const std::int64_t at = element * size_of_dtype(type);
    if (d.kind != storage::arena) return memory_[static_cast<std::size_t>(b)].data() + at;
    const auto owner = static_cast<std::size_t>(arena_.owner[static_cast<std::size_t>(b)]);
    return bytes_.data() + arena_.places[owner].offset + at;
  }
  double get(int b, dtype type, std::int64_t element) {
    const char* p = address(b, type, element);
    if (type == dtype::boolean) return *p != 0 ? 1 : 0;
    if (type == dtype::int64) {
      std::int64_t x;
      std::memcpy(&x, p, 8);
      return static_cast<double>(x);
    }
    if (type != dtype::float64) throw std::logic_error("the interpreter of plans knows bool, int64 and float64");
    double x;
    std::memcpy(&x, p, 8);
    return x;
  }
  void put(int b, std::int64_t element, double x) {
    const dtype type = p_.buffers[b].type;
    char* p = address(b, type, element);
    if (type == dtype::boolean) {
      *p = x != 0 ? 1 : 0;
    } else if (type == dtype::int64) {
      const auto i = static_cast<std::int64_t>(x);
      std::memcpy(p, &i, 8);
    } else {
      std::memcpy(p, &x, 8);
    }
  }
  void fill(int b, const tensor& t) {
    for (std::size_t i = 0; i < t.data.size(); ++i) put(b, static_cast<std::int64_t>(i), t.data[i]);
  }
  tensor read(const port& p) const {
    if (p.buffer < 0) return {};
    tensor t;
    for (int i = 0; i < p.type.rank; ++i) t.extents.push_back(value(p.type.extents[i]));
    for (std::int64_t i = 0; i < t.count(); ++i) t.data.push_back(const_cast<plan_run*>(this)->get(p.buffer, p.type.type, i));
    return t;
  }

  const access& access_of(const plan_step& s, int slot) const {
    if (slot >= s.access_count) throw std::logic_error("a program names an access that is not there");
    return p_.accesses[s.first_access + slot];
  }
  std::int64_t element(const access& a, const std::vector<std::int64_t>& index) const {
    std::int64_t at = value(a.offset);
    for (std::size_t i = 0; i < index.size(); ++i) at += index[i] * value(p_.stride(a, static_cast<int>(i)));
    return at;
  }

  /// Runs the instructions of one section at one index. Registers keep their values from section to section.
  /// `kept`: the row of the memory that results lie in until they go back.
  void run_section(const plan_step& s, int section, const std::vector<std::int64_t>& index, std::vector<double>& registers,
                   double dot, std::int64_t kept = -1) {
    for (int k = 0; k < s.word_count / 2; ++k) {
      const instruction i = decode_instruction(p_.program_words[s.first_word + 2 * k], p_.program_words[s.first_word + 2 * k + 1]);
      if (i.section != section) continue;
      double& r = registers[static_cast<std::size_t>(k)];
      const auto in = [&](int a) { return registers[static_cast<std::size_t>(a)]; };
      switch (i.code) {
        case opcode::load: {
          const access& a = access_of(s, i.slot);
          r = get(a.buffer, a.type, element(a, index));
          break;
        }
        case opcode::store: {
          const access& a = access_of(s, i.slot);
          std::vector<std::int64_t> place = index;
          if (i.slot >= s.access_count - 2 * s.returned && kept >= 0) place[0] = kept;
          put(a.buffer, element(a, place), in(i.a));
          break;
        }
        case opcode::immediate: r = constant.decode(i.type, static_cast<std::int64_t>(i.payload)).as<double>(); break;
        case opcode::iota: r = static_cast<double>(element(access_of(s, i.slot), index)); break;
        case opcode::apply: {
          const double x[] = {in(i.a), in(i.b), in(i.c)};
          r = as_type(i.type, function_of(i.payload)(x));
          break;
        }
        case opcode::reduce: {
          const double x[] = {r, in(i.a)};
          r = combine_of(i.payload)(x);
          break;
        }
        case opcode::scan: {
          double& state = states_[k];
          const double after = next_state(i.payload, state, in(i.a), in(i.b));
          r = (i.c & scan_exclusive) != 0 || i.payload == info_of<struct linear_recurrence>.id ? state : after;
          state = after;
          break;
        }
        case opcode::accumulator: r = dot; break;
      }
    }
  }

  std::vector<std::int64_t> nest(const plan_step& s, int begin, int end) const {
    std::vector<std::int64_t> extents;
    for (int i = begin; i < end; ++i) extents.push_back(value(p_.extent(s, i)));
    return extents;
  }

  void run(const plan_step& s) {
    std::vector<double> registers(static_cast<std::size_t>(s.word_count / 2 + 1), std::nan(""));
    if (s.kind == cluster_kind::opaque) {
      run_opaque(s);
    } else if (s.kind == cluster_kind::contraction) {
      run_contraction(s, registers);
    } else if (s.kind == cluster_kind::sweep) {
      run_sweep(s, registers);
    } else if (s.kind == cluster_kind::scan) {
      run_scan(s, registers);
    } else if (s.returned > 0) {
      run_returning(s, registers);
    } else {
      for_each_index(nest(s, 0, s.rank), [&](const std::vector<std::int64_t>& index) { run_section(s, 0, index, registers, 0); });
    }
  }

  /// Row by row; what is kept of a row lies where that of the row `lag` + 1 before it lay, which has gone back by then.
  void run_returning(const plan_step& s, std::vector<double>& registers) {
    const int slots = s.access_count - s.returned;
    const std::int64_t rows = value(p_.extent(s, 0)), kept = s.lag + 1;
    const auto along = [&](std::int64_t row, const auto& f) {
      for_each_index(nest(s, 1, s.rank), [&](std::vector<std::int64_t> index) {
        index.insert(index.begin(), row);
        f(index);
      });
    };
    const auto go_back = [&](std::int64_t row) {
      along(row, [&](std::vector<std::int64_t> index) {
        for (int k = 0; k < s.returned; ++k) {
          const access &from = access_of(s, slots - s.returned + k), &to = access_of(s, slots + k);
          std::vector<std::int64_t> place = index;
          place[0] = row % kept;
          put(to.buffer, element(to, index), get(from.buffer, from.type, element(from, place)));
        }
      });
    };
    for (std::int64_t row = 0; row < rows; ++row) {
      along(row, [&](const std::vector<std::int64_t>& index) { run_section(s, 0, index, registers, 0, row % kept); });
      if (row >= s.lag) go_back(row - s.lag);
    }
    for (std::int64_t row = rows < s.lag ? 0 : rows - s.lag; row < rows; ++row) go_back(row);
  }

  void run_contraction(const plan_step& s, std::vector<double>& registers) {
    const access &a = access_of(s, 0), &b = access_of(s, 1);
    for_each_index(nest(s, 0, s.kept), [&](const std::vector<std::int64_t>& index) {
      double dot = 0;
      for_each_index(nest(s, s.kept, s.rank), [&](const std::vector<std::int64_t>& along) {
        std::vector<std::int64_t> at = index;
        at.insert(at.end(), along.begin(), along.end());
        dot += operand(s, 0, a, at, registers) * operand(s, 1, b, at, registers);
      });
      run_section(s, 0, index, registers, dot);
    });
  }

  /// Of a product: what lies in memory, or what the last instruction of a section gives.
  double operand(const plan_step& s, int k, const access& a, const std::vector<std::int64_t>& at, std::vector<double>& registers) {
    if ((s.packed >> k & 1) == 0) return get(a.buffer, a.type, element(a, at));
    run_section(s, 2 * k + 2, at, registers, 0);
    int last = -1;
    for (int i = 0; i < s.word_count / 2; ++i)
      if (decode_instruction(p_.program_words[s.first_word + 2 * i], 0).section == 2 * k + 2) last = i;
    return registers[static_cast<std::size_t>(last)];
  }

  void run_sweep(const plan_step& s, std::vector<double>& registers) {
    int sections = 0;
    for (int k = 0; k < s.word_count / 2; ++k) {
      const instruction i = decode_instruction(p_.program_words[s.first_word + 2 * k], 0);
      if (i.section + 1 > sections) sections = i.section + 1;
    }
    for_each_index(nest(s, 0, s.kept), [&](const std::vector<std::int64_t>& row) {
      for (int k = 0; k < s.word_count / 2; ++k) {
        const instruction i =
            decode_instruction(p_.program_words[s.first_word + 2 * k], p_.program_words[s.first_word + 2 * k + 1]);
        if (i.code == opcode::reduce) registers[static_cast<std::size_t>(k)] = identity_of(i.payload);
      }
      for (int section = 0; section < sections; ++section) {
        if (section % 2 != 0) {
          run_section(s, section, row, registers, 0);
          continue;
        }
        for_each_index(nest(s, s.kept, s.rank), [&](const std::vector<std::int64_t>& along) {
          std::vector<std::int64_t> index = row;
          index.insert(index.end(), along.begin(), along.end());
          run_section(s, section, index, registers, 0);
        });
      }
    });
  }

  /// Row by row, from that end of it that the program's scans begin at.
  void run_scan(const plan_step& s, std::vector<double>& registers) {
    bool backwards = false;
    for_each_index(nest(s, 0, s.kept), [&](const std::vector<std::int64_t>& row) {
      for (int k = 0; k < s.word_count / 2; ++k) {
        const instruction i =
            decode_instruction(p_.program_words[s.first_word + 2 * k], p_.program_words[s.first_word + 2 * k + 1]);
        if (i.code != opcode::scan) continue;
        backwards = (i.c & scan_backwards) != 0;
        states_[k] = i.payload == info_of<struct cumprod>.id ? 1 : 0;
      }
      const std::int64_t length = value(p_.extent(s, s.kept));
      for (std::int64_t j = 0; j < length; ++j) {
        std::vector<std::int64_t> index = row;
        index.push_back(backwards ? length - 1 - j : j);
        run_section(s, 0, index, registers, 0);
      }
    });
  }

  void run_opaque(const plan_step& s) {
    std::vector<tensor> operands;
    std::vector<std::int64_t> result;
    for (int k = 0; k < s.access_count; ++k) {
      const access& a = access_of(s, k);
      tensor t;
      for (int i = 0; i < a.rank; ++i) t.extents.push_back(value(p_.stride(a, a.rank + i)));
      if (k == 0) {
        result = t.extents;
        continue;
      }
      for_each_index(t.extents,
                     [&](const std::vector<std::int64_t>& index) { t.data.push_back(get(a.buffer, a.type, element(a, index))); });
      operands.push_back(t);
    }
    words w;
    for (int k = 0; k < s.attribute_count; ++k) w.push_back(p_.attributes[s.first_attribute + k]);
    const tensor r = evaluate_opaque(s.op, w, operands, result);
    const access& to = access_of(s, 0);
    std::size_t i = 0;
    for_each_index(result, [&](const std::vector<std::int64_t>& index) { put(to.buffer, element(to, index), r.data[i++]); });
  }

  const plan& p_;
  const environment& e_;
  arena arena_;
  std::vector<std::vector<char>> memory_;
  std::vector<char> bytes_;
  std::map<int, double> states_;  ///< of the scans of a step, by instruction
};

/// A graph as it is scheduled.
inline graph prepared(const graph& g) {
  effect_failure failure;
  const graph ordered = order_effects(g, failure);
  if (failure) throw std::logic_error("the effects have no order");
  return materialise(tidy(ordered));
}
/// The whole way of a graph: tidied, materialised, scheduled and run.
inline plan plan_of(const graph& g, const std::vector<hash_t>& fed) {
  return schedule(prepared(g), cpu::target::description, fed.data(), static_cast<int>(fed.size()));
}
inline outcome run_plan(const graph& g, const environment& e) {
  std::vector<hash_t> fed;
  for (const auto& feed : e.feeds) fed.push_back(feed.first);
  const plan p = plan_of(g, fed);
  return plan_run(p, e).result();
}

/// What is wrong with a plan as such; empty if nothing is: steps read only what an earlier step, or the caller, has
/// written; live buffers do not overlap; lifetimes cover every use; slots fit into a program.
inline std::string fault_of(const plan& p, const std::vector<std::int64_t>& extents) {
  std::set<int> written;
  for (int b = 0; b < p.buffers.size(); ++b)
    if (p.buffers[b].kind != storage::arena && p.buffers[b].kind != storage::fetch) written.insert(b);
  for (int i = 0; i < p.steps.size(); ++i) {
    const plan_step& s = p.steps[i];
    std::set<int> stores;
    for (int k = 0; k < s.word_count / 2; ++k) {
      const instruction in = decode_instruction(p.program_words[s.first_word + 2 * k], 0);
      if (in.code == opcode::store) stores.insert(in.slot);
    }
    if (s.kind == cluster_kind::opaque) stores.insert(0);
    if (stores.empty()) return "step " + std::to_string(i) + " writes nothing";
    for (int pass = 0; pass < 2; ++pass)
      for (int k = 0; k < s.access_count; ++k) {
        const int b = p.accesses[s.first_access + k].buffer;
        if (b < 0) continue;
        if (p.buffers[b].first > i || p.buffers[b].last < i)
          return "buffer " + std::to_string(b) + " is used outside of its lifetime";
        if (pass == 0 && stores.count(k) == 0 && written.count(b) == 0) {
          bool here = false;  // a sweep may read what it has itself written
          for (int slot : stores) here = here || p.accesses[s.first_access + slot].buffer == b;
          if (!here) return "step " + std::to_string(i) + " reads buffer " + std::to_string(b) + ", which nothing has written";
        }
        if (pass == 1 && stores.count(k) == 1) written.insert(b);
      }
  }
  for (int i = 0; i < p.fetches.size(); ++i)
    if (p.fetches[i].buffer >= 0 && written.count(p.fetches[i].buffer) == 0)
      return "fetch " + std::to_string(i) + " is not written";

  const arena a(p, extents);
  for (std::size_t x = 0; x < a.places.size(); ++x)
    for (std::size_t y = 0; y < x; ++y) {
      const lifetime &l = a.places[x], &m = a.places[y];
      if (l.bytes > 0 && m.bytes > 0 && l.first <= m.last && m.first <= l.last && l.offset < m.offset + m.bytes &&
          m.offset < l.offset + l.bytes)
        return "buffers " + std::to_string(y) + " and " + std::to_string(x) + " overlap";
    }
  return "";
}

}  // namespace etch::interpreter
