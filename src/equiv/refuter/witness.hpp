// Values for the variables of a sketch.
#pragma once

#include <optional>
#include <vector>

#include "equiv/refuter/sketch.hpp"
#include "equiv/refuter/value_pools.hpp"

namespace trustsql::equiv {

// A value for each variable of a sketch.
using Witness = std::vector<Value>;

struct WitnessRequest {
  std::size_t freshness = 0;      // different numbers give different values, where the conditions allow it
  bool alike = false;             // free variables all get the same small value, instead of different ones
  int broken_equality = -1;       // the index of an equality whose sides get different values
  int broken_atom = -1;           // the index of an atom that must not hold
  int choice = -1;                // the index of a choice by which an atom must hold
  const Witness* base = nullptr;  // provides the values of the variables in `kept`
  std::vector<bool> kept{};       // by variable
  std::vector<bool> parts{};      // the parts whose conditions count; empty: all that are not unwanted
};

class WitnessMaker {
 public:
  // All arguments must outlive the object.
  WitnessMaker(const Sketch& sketch, const DataModel& model, const ValuePools& pools)
      : sketch_(sketch), model_(model), pools_(pools) {}

  const Sketch& sketch() const { return sketch_; }
  // The parts that a result needs or may include.
  std::vector<bool> usual_parts() const;

  // The usual parts, together with `part` and the parts that contain it, or without `part`; the parts inside it are
  // added or removed with it.
  std::vector<bool> parts_with(std::size_t part, bool included) const;

  // Values that satisfy the conditions, as far as they can be evaluated; nullopt if none were found.
  std::optional<Witness> make(const WitnessRequest& request) const;

  // Marks the variables that are equal to marked ones, and those of rows in which all columns of a key are marked:
  // rows that agree in a key are the same row.
  void close(std::vector<bool>& kept) const;

 private:
  const Sketch& sketch_;
  const DataModel& model_;
  const ValuePools& pools_;
};

}  // namespace trustsql::equiv
