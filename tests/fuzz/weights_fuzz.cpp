// Files of networks and checkpoints: any bytes are refused with a message, or give a network that compares graphs and
// whose file reads back. The hash of a file is made right, so that what it guards is read too.

#include <cstdint>
#include <memory>
#include <string>

#include "fuzz/check.hpp"
#include "gmn/graph_comparer.hpp"
#include "gmn/weights_file.hpp"

namespace {

using trustsql::plan::PlanGraph;

PlanGraph small_graph(const char* table) {
  PlanGraph graph;
  graph.nodes = {{PlanGraph::NodeKind::computing, "Rels"},
                 {PlanGraph::NodeKind::computing, "Scan"},
                 {PlanGraph::NodeKind::content, table}};
  graph.edges = {{PlanGraph::EdgeKind::tree, 0, 1}, {PlanGraph::EdgeKind::tree, 1, 2}};
  return graph;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = trustsql::gmn::sealed(std::string(reinterpret_cast<const char*>(data), size));
  auto read = trustsql::gmn::read_weights(bytes);
  if (read.ok()) {
    const auto written = trustsql::gmn::write_weights(*read);
    FUZZ_CHECK(trustsql::gmn::read_weights(written).ok());
    trustsql::gmn::GraphComparer comparer(
        std::make_shared<const trustsql::gmn::TrainedNetwork>(std::move(read).value()));
    FUZZ_CHECK(comparer.distance(small_graph("t"), small_graph("u")) >= 0);
  } else {
    FUZZ_CHECK(!read.error().message.empty());
  }
  const auto state = trustsql::gmn::read_checkpoint(bytes, 0, 4);
  FUZZ_CHECK(state.ok() || !state.error().message.empty());
  return 0;
}
