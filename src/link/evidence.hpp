// Evidence: what all probes together imply about whole databases and tables.
//
// A question is answered from one database, and its tables are joined by their keys. So an element's score increases if
// its database covers all probes well, and a foreign key's column's if both its tables do. The paper's connectivity
// (Eq. 5) considers pairs of chosen elements; this considers all elements, before C(x) is formed.
#pragma once

#include <cstddef>
#include <span>

#include "link/element.hpp"

namespace trustsql::link {

struct EvidenceWeights {
  float database = 0.25F;  // maximum deduction from the cosines of elements of databases that cover the probes badly
  float database_sharpness = 20;  // how fast that grows with the difference in coverage from the best database
  float foreign_key = 0.1F;  // maximum addition to the cosines of a foreign key's columns, if both tables are the best
  float foreign_key_sharpness = 10;
};

// Adds the weight of the evidence to `cosines` ([element * probe_count + probe]). A database's or table's coverage is
// the mean over the probes of the largest cosine of its elements.
void add_evidence(const ElementSet& elements, std::size_t probe_count, const EvidenceWeights& weights,
                  std::span<float> cosines);

}  // namespace trustsql::link
