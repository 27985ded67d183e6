#include "gmn/network.hpp"

namespace trustsql::gmn {

namespace {

constexpr int edge_type_count = 3;

Texts numbered(std::vector<std::string> values) {
  Texts texts;
  for (const auto& value : values) texts.number(value);
  return texts;
}

}  // namespace

Network::Messages::Messages(Parameters& parameters, const std::string& name, const Hyperparameters& h)
    : receivers(parameters, name + ".receivers", h.node_state, h.message),
      senders(parameters.add(name + ".senders.weight", h.node_state, h.message)),
      types(parameters.add(name + ".types.weight", h.edge_state, h.message)),
      second(parameters, name + ".second", h.message, h.message) {}

void Network::Messages::initialise(Parameters& parameters, Random& random) const {
  receivers.initialise(parameters, random);
  fill_glorot(parameters.view(senders), random);
  fill_glorot(parameters.view(types), random);
  second.initialise(parameters, random, 0.1F);  // as the public code: messages begin small
}

Value Network::Messages::apply(Tape& tape, const Parameters& parameters, Value h, Value edge_types,
                               const EdgeList& edges, Value edge_counts) const {
  const Value sum =
      sum_of_messages(tape, receivers.apply(tape, parameters, h), product(tape, h, tape.parameter(parameters, senders)),
                      product(tape, edge_types, tape.parameter(parameters, types)), edges);
  // The second layer is linear: its bias counts once for each edge.
  return add(tape, product(tape, sum, tape.parameter(parameters, second.weights())),
             product(tape, edge_counts, tape.parameter(parameters, second.bias())));
}

Network::Network(const Hyperparameters& h, std::vector<std::string> vocabulary)
    : hyperparameters_(h),
      vocabulary_(numbered(std::move(vocabulary))),
      strings_(parameters_, h),
      computing_nodes_(
          parameters_.add("nodes.embedding", static_cast<Eigen::Index>(vocabulary_.size()) + 1, h.node_state)),
      edge_types_(parameters_.add("edges.embedding", edge_type_count, h.edge_state)),
      first_position_(parameters_, "positions.first", h.walk_steps, h.position_state),
      next_position_(parameters_, "positions.next", 2 * h.position_state, h.position_state),
      forward_(parameters_, "messages.forward", h),
      backward_(parameters_, "messages.backward", h),
      attention_(parameters_, "attention", h.node_state + (has_positions() ? h.position_state : 0), h.node_state,
                 h.node_state),
      update_(parameters_, "update", h.message + h.node_state, h.node_state),
      gate_(parameters_, "graph.gate", h.node_state, h.graph_vector),
      content_(parameters_, "graph.content", h.node_state, h.graph_vector),
      graph_(parameters_, "graph.output", h.graph_vector, h.graph_vector, h.graph_vector) {}

void Network::initialise(std::uint64_t seed) {
  Random random(seed);
  strings_.initialise(parameters_, random);
  fill_uniform(parameters_.view(computing_nodes_), 1, random);
  fill_uniform(parameters_.view(edge_types_), 1, random);
  first_position_.initialise(parameters_, random);
  next_position_.initialise(parameters_, random);
  forward_.initialise(parameters_, random);
  backward_.initialise(parameters_, random);
  attention_.initialise(parameters_, random);
  update_.initialise(parameters_, random);
  gate_.initialise(parameters_, random);
  content_.initialise(parameters_, random);
  graph_.initialise(parameters_, random);
}

Value Network::cross_messages(Tape& tape, const Batch& batch, Value h, Value p, std::vector<Matrix>* attention) const {
  const Value r = attention_.apply(tape, parameters_, has_positions() ? concatenate(tape, h, p) : h);
  return cross_graph_messages(tape, r, batch.pairs(), attention);
}

Value Network::graph_vectors(Tape& tape, const Batch& batch, Value string_vectors,
                             std::vector<std::vector<Matrix>>* attention) const {
  const Value embeddings = lookup(tape, tape.parameter(parameters_, computing_nodes_), batch.embeddings());
  Value h = add(tape, embeddings, lookup(tape, string_vectors, batch.texts()));
  Value p;
  if (has_positions())
    p = first_position_.apply(tape, parameters_,
                              tape.constant(batch.positions().data(), batch.nodes(), hyperparameters_.walk_steps));
  const Value edge_types = tape.parameter(parameters_, edge_types_);
  const Value edges_in = tape.constant(batch.edges_in().data(), batch.nodes(), 1);
  const Value edges_out = tape.constant(batch.edges_out().data(), batch.nodes(), 1);
  for (int step = 0; step < hyperparameters_.steps && !tape.must_stop(); ++step) {
    const Value inner = add(tape, forward_.apply(tape, parameters_, h, edge_types, batch.forward(), edges_in),
                            backward_.apply(tape, parameters_, h, edge_types, batch.backward(), edges_out));
    auto* weights = attention == nullptr ? nullptr : &attention->emplace_back();
    const Value cross = cross_messages(tape, batch, h, p, weights);
    h = update_.apply(tape, parameters_, concatenate(tape, inner, cross), h);
    if (has_positions() && step + 1 < hyperparameters_.steps) {
      const Value around = mean_of_neighbours(tape, p, batch.both(), batch.shares());
      p = tanh(tape, next_position_.apply(tape, parameters_, concatenate(tape, p, around)));
    }
  }
  const Value gated =
      multiply(tape, sigmoid(tape, gate_.apply(tape, parameters_, h)), content_.apply(tape, parameters_, h));
  return graph_.apply(tape, parameters_, sum_of_graphs(tape, gated, batch.ends()));
}

}  // namespace trustsql::gmn
