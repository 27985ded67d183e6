// Evidence: what all probes together say about whole databases and tables.
//
// A question is answered from one database, and its tables are joined by their keys. So an element gains where its
// database covers all probes well, and a foreign key's column where both its tables do. The paper's connectivity (Eq.
// 5) looks at pairs of chosen elements; this looks at what could be chosen, before C(x) is drawn.
#pragma once

#include <cstddef>
#include <span>

#include "link/element.hpp"

namespace trustsql::link {

struct EvidenceWeights {
  float database = 0.25F;         // taken from the cosines of elements of databases that cover the probes badly
  float database_sharpness = 20;  // how fast that grows as a database covers the probes less well than the best
  float foreign_key = 0.1F;       // added to the cosines of a foreign key's columns, where both tables are the best
  float foreign_key_sharpness = 10;
};

// Adds to `cosines` ([element * probe_count + probe]) what the evidence is worth. How well a database or table covers
// the probes is the mean over the probes of the largest cosine of an element.
void add_evidence(const ElementSet& elements, std::size_t probe_count, const EvidenceWeights& weights,
                  std::span<float> cosines);

}  // namespace trustsql::link
