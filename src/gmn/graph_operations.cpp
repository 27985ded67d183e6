#include "gmn/graph_operations.hpp"

#include <cmath>

namespace trustsql::gmn {

namespace {

void sum_of_messages_backward(Tape& tape, const Tape::Node& node) {
  const auto dy = Tape::gradient_of(node);
  const auto receivers = tape.value(node.inputs[0]);
  const auto senders = tape.value(node.inputs[1]);
  const auto types = tape.value(node.inputs[2]);
  auto d_receivers = tape.gradient(node.inputs[0]);
  auto d_senders = tape.gradient(node.inputs[1]);
  auto d_types = tape.gradient(node.inputs[2]);
  for (std::size_t i = 0; i < node.indexes[0].size(); ++i) {
    const auto u = node.indexes[0][i];
    const auto v = node.indexes[1][i];
    const auto e = node.indexes[2][i];
    const auto passes = (receivers.row(v) + senders.row(u) + types.row(e)).array() > 0;
    const auto g = passes.select(dy.row(v), 0.0F).eval();
    d_receivers.row(v) += g;
    d_senders.row(u) += g;
    d_types.row(e) += g;
  }
}

void mean_of_neighbours_backward(Tape& tape, const Tape::Node& node) {
  const auto dy = Tape::gradient_of(node);
  auto dx = tape.gradient(node.inputs[0]);
  const auto* shares = static_cast<const float*>(node.structure);
  for (std::size_t i = 0; i < node.indexes[0].size(); ++i) {
    const auto v = node.indexes[1][i];
    dx.row(node.indexes[0][i]) += dy.row(v) * shares[v];
  }
}

// Each row becomes its softmax.
void softmax_rows(MatrixView m) {
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    auto row = m.row(i).array();
    row = (row - row.maxCoeff()).exp();
    row /= row.sum();
  }
}

// One direction of the attention of a pair: the nodes of one graph look at those of the other.
struct Direction {
  Eigen::Index own_begin;
  Eigen::Index own_count;
  Eigen::Index other_begin;
  Eigen::Index other_count;
};

// Calls `visit(direction, its weights)` for both directions of all pairs; the weights lie one after the other.
template <typename Visit>
void for_each_direction(const std::vector<GraphPairRows>& pairs, float* weights, Visit&& visit) {
  for (const auto& pair : pairs) {
    const Direction forth{pair.first_begin, pair.first_end - pair.first_begin, pair.second_begin,
                          pair.second_end - pair.second_begin};
    const Direction back{forth.other_begin, forth.other_count, forth.own_begin, forth.own_count};
    for (const auto& direction : {forth, back}) {
      visit(direction, MatrixView(weights, direction.own_count, direction.other_count));
      weights += direction.own_count * direction.other_count;
    }
  }
}

// With y_v = r_v - sum of a_vu r_u and a_v = softmax(s_v), s_vu = r_v . r_u / sqrt(d).
void cross_graph_messages_backward(Tape& tape, const Tape::Node& node) {
  const auto& pairs = *static_cast<const std::vector<GraphPairRows>*>(node.structure);
  const auto r = tape.value(node.inputs[0]);
  const auto dy = Tape::gradient_of(node);
  auto dr = tape.gradient(node.inputs[0]);
  for_each_direction(pairs, node.kept, [&](const Direction& d, MatrixView a) {
    const auto own = r.middleRows(d.own_begin, d.own_count);
    const auto other = r.middleRows(d.other_begin, d.other_count);
    const auto g = dy.middleRows(d.own_begin, d.own_count);
    MatrixView ds(tape.arena().allocate(static_cast<std::size_t>(a.size())), a.rows(), a.cols());
    ds.noalias() = g * other.transpose();  // minus the gradient of a
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      const float inner = ds.row(i).dot(a.row(i));
      ds.row(i).array() = (inner - ds.row(i).array()) * a.row(i).array() * node.scale;
    }
    dr.middleRows(d.own_begin, d.own_count) += g;
    dr.middleRows(d.own_begin, d.own_count).noalias() += ds * other;
    dr.middleRows(d.other_begin, d.other_count).noalias() -= a.transpose() * g;
    dr.middleRows(d.other_begin, d.other_count).noalias() += ds.transpose() * own;
  });
}

void sum_of_graphs_backward(Tape& tape, const Tape::Node& node) {
  const auto& ends = *static_cast<const std::vector<Eigen::Index>*>(node.structure);
  const auto dy = Tape::gradient_of(node);
  auto dx = tape.gradient(node.inputs[0]);
  Eigen::Index begin = 0;
  for (std::size_t g = 0; g < ends.size(); ++g) {
    dx.middleRows(begin, ends[g] - begin).rowwise() += dy.row(static_cast<Eigen::Index>(g));
    begin = ends[g];
  }
}

}  // namespace

Value sum_of_messages(Tape& tape, Value receivers, Value senders, Value types, const EdgeList& edges) {
  auto& node =
      tape.record(tape.rows(receivers), tape.cols(receivers), {receivers, senders, types}, sum_of_messages_backward);
  node.indexes = {edges.from, edges.to, edges.type};
  auto y = Tape::value_of(node);
  y.setZero();
  const auto to = tape.value(receivers);
  const auto from = tape.value(senders);
  const auto of_type = tape.value(types);
  for (std::size_t i = 0; i < edges.from.size(); ++i)
    y.row(edges.to[i]) += (to.row(edges.to[i]) + from.row(edges.from[i]) + of_type.row(edges.type[i])).cwiseMax(0.0F);
  return tape.last();
}

Value mean_of_neighbours(Tape& tape, Value x, const EdgeList& edges, std::span<const float> shares) {
  auto& node = tape.record(tape.rows(x), tape.cols(x), {x}, mean_of_neighbours_backward);
  node.indexes = {edges.from, edges.to, {}};
  node.structure = shares.data();
  auto y = Tape::value_of(node);
  y.setZero();
  const auto source = tape.value(x);
  for (std::size_t i = 0; i < edges.from.size(); ++i) {
    const auto v = edges.to[i];
    y.row(v) += source.row(edges.from[i]) * shares[static_cast<std::size_t>(v)];
  }
  return tape.last();
}

Value cross_graph_messages(Tape& tape, Value r, const std::vector<GraphPairRows>& pairs,
                           std::vector<Matrix>* attention) {
  std::size_t weights = 0;
  for (const auto& pair : pairs)
    weights +=
        static_cast<std::size_t>(2 * (pair.first_end - pair.first_begin) * (pair.second_end - pair.second_begin));
  auto& node = tape.record(tape.rows(r), tape.cols(r), {r}, cross_graph_messages_backward);
  node.structure = &pairs;
  node.kept = tape.arena().allocate(weights);
  node.scale = 1.0F / std::sqrt(static_cast<float>(node.cols));
  auto y = Tape::value_of(node);
  const auto rows = tape.value(r);
  y = rows;  // what remains of a graph whose partner is empty
  for_each_direction(pairs, node.kept, [&](const Direction& d, MatrixView a) {
    if (a.size() == 0) return;
    const auto own = rows.middleRows(d.own_begin, d.own_count);
    const auto other = rows.middleRows(d.other_begin, d.other_count);
    a.noalias() = own * other.transpose();
    a *= node.scale;
    softmax_rows(a);
    y.middleRows(d.own_begin, d.own_count).noalias() -= a * other;
    if (attention != nullptr) attention->emplace_back(a);
  });
  return tape.last();
}

Value sum_of_graphs(Tape& tape, Value x, const std::vector<Eigen::Index>& ends) {
  auto& node = tape.record(static_cast<Eigen::Index>(ends.size()), tape.cols(x), {x}, sum_of_graphs_backward);
  node.structure = &ends;
  auto y = Tape::value_of(node);
  Eigen::Index begin = 0;
  for (std::size_t g = 0; g < ends.size(); ++g) {
    y.row(static_cast<Eigen::Index>(g)) = tape.value(x).middleRows(begin, ends[g] - begin).colwise().sum();
    begin = ends[g];
  }
  return tape.last();
}

}  // namespace trustsql::gmn
