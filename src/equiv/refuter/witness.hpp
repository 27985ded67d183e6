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
  std::size_t freshness = 0;      // another number gives other values where the conditions allow it
  bool alike = false;             // variables that are free take the same small value, rather than all different ones
  int broken_equality = -1;       // its sides get different values
  int broken_atom = -1;           // it is not to hold
  int choice = -1;                // an atom is to hold in this way
  const Witness* base = nullptr;  // where variables that are kept get their values
  std::vector<bool> kept{};       // by variable
  std::vector<bool> parts{};      // whose conditions count; empty: all that are not unwanted
};

class WitnessMaker {
 public:
  // All must outlive the object.
  WitnessMaker(const Sketch& sketch, const DataModel& model, const ValuePools& pools)
      : sketch_(sketch), model_(model), pools_(pools) {}

  const Sketch& sketch() const { return sketch_; }
  // The parts that a result needs or may have.
  std::vector<bool> usual_parts() const;

  // These, and the part `part` with what it stands in, or without it; what stands in it goes and comes with it.
  std::vector<bool> parts_with(std::size_t part, bool included) const;

  // Values under which the conditions hold, as far as they can be computed; nullopt if none were found.
  std::optional<Witness> make(const WitnessRequest& request) const;

  // Marks the variables that are equal to marked ones, and those of rows of which all columns of a key are marked: rows
  // that agree in a key are one row.
  void close(std::vector<bool>& kept) const;

 private:
  const Sketch& sketch_;
  const DataModel& model_;
  const ValuePools& pools_;
};

}  // namespace trustsql::equiv
