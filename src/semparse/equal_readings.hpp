// Readings that mean the same: "SELECT avg(price), category" and "SELECT category, avg(price)" are one answer.
#pragma once

#include <vector>

#include "db/catalog/catalog.hpp"
#include "semparse/parser.hpp"

namespace trustsql::semparse {

// Joins readings that the prover shows to return the same rows on every database of this schema, up to the order of
// columns; declared keys are taken to hold, and tied rows to come in the same order. The likeliest of them stays where
// it is, with the sum of their probabilities. Only the first 16 readings are looked at, and only those that returned
// the same rows here. The first reading stays the first. Deterministic.
void join_equal_readings(const Catalog& catalog, std::vector<Reading>& readings);

}  // namespace trustsql::semparse
