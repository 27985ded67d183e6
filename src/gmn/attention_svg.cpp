#include "gmn/attention_svg.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace trustsql::gmn {

namespace {

constexpr int row_height = 22;
constexpr int indent = 18;
constexpr int top = 30;
constexpr int gap = 220;
constexpr int letter_width = 7;
constexpr int node_radius = 5;
constexpr std::size_t label_length = 40;

// A node's value as a label, which is cut if it is long.
std::string label_of(const std::string& value) {
  if (value.size() <= label_length) return replace_invalid_utf8(value);
  return drop_invalid_utf8(value.substr(0, label_length)) + "...";
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return result;
}

// Where the nodes of one graph stand: a tree with a node in each row, or its mirror image. Lines of attention end at
// `inner`, beyond the labels.
struct Layout {
  std::vector<int> x;
  std::vector<int> y;
  bool mirrored = false;
  int inner = 0;
};

// From the left edge.
Layout layout_of(const plan::PlanGraph& graph) {
  Layout layout;
  const auto parents = plan::parents(graph);
  std::vector<int> depth(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    depth[i] = parents[i] ? depth[*parents[i]] + 1 : 0;
    layout.x.push_back(indent * (depth[i] + 1));
    layout.y.push_back(top + row_height * static_cast<int>(i));
    const auto letters = static_cast<int>(label_of(graph.nodes[i].value).size());
    layout.inner = std::max(layout.inner, layout.x.back() + 4 * node_radius + letter_width * letters);
  }
  return layout;
}

Layout mirrored(Layout layout, int width) {
  for (auto& x : layout.x) x = width - x;
  layout.inner = width - layout.inner;
  layout.mirrored = true;
  return layout;
}

void draw_edges(std::string& svg, const plan::PlanGraph& graph, const Layout& layout) {
  for (const auto& edge : graph.edges) {
    if (edge.kind != plan::PlanGraph::EdgeKind::tree) continue;
    const auto from = static_cast<std::size_t>(edge.from);
    const auto to = static_cast<std::size_t>(edge.to);
    svg += R"(<path class="tree" d="M)" + std::to_string(layout.x[from]) + " " + std::to_string(layout.y[from]) + "V" +
           std::to_string(layout.y[to]) + "H" + std::to_string(layout.x[to]) + "\"/>\n";
  }
}

void draw_nodes(std::string& svg, const plan::PlanGraph& graph, const Layout& layout) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto& node = graph.nodes[i];
    const bool content = node.kind == plan::PlanGraph::NodeKind::content;
    svg += "<circle class=\"" + std::string(content ? "content" : "computing") + "\" cx=\"" +
           std::to_string(layout.x[i]) + "\" cy=\"" + std::to_string(layout.y[i]) + "\" r=\"" +
           std::to_string(node_radius) + "\"/><text x=\"" +
           std::to_string(layout.x[i] + (layout.mirrored ? -1 : 1) * 2 * node_radius) + "\" y=\"" +
           std::to_string(layout.y[i] + 4) + "\"" + (layout.mirrored ? " text-anchor=\"end\"" : "") + ">" +
           escaped(label_of(node.value)) + "</text>\n";
  }
}

void draw_attention(std::string& svg, const Matrix& weights, const Layout& own, const Layout& other) {
  for (Eigen::Index i = 0; i < weights.rows(); ++i) {
    Eigen::Index most = 0;
    const float weight = weights.row(i).maxCoeff(&most);
    const int percent = static_cast<int>(std::lround(static_cast<double>(weight) * 100));
    if (percent == 0) continue;
    svg += R"(<path class="attention" opacity=")" + std::to_string(percent / 100) + "." +
           (percent % 100 < 10 ? "0" : "") + std::to_string(percent % 100) + "\" d=\"M" + std::to_string(own.inner) +
           " " + std::to_string(own.y[static_cast<std::size_t>(i)]) + "L" + std::to_string(other.inner) + " " +
           std::to_string(other.y[static_cast<std::size_t>(most)]) + "\"><title>" + std::to_string(percent) +
           " %</title></path>\n";
  }
}

}  // namespace

std::string attention_svg(const plan::PlanGraph& first, const plan::PlanGraph& second, const Attention& attention) {
  const auto rows = static_cast<int>(std::max(first.nodes.size(), second.nodes.size()));
  const auto left = layout_of(first);
  const auto from_left = layout_of(second);
  const int pixels = left.inner + gap + from_left.inner;
  const auto right = mirrored(from_left, pixels);
  const auto width = std::to_string(pixels);
  const auto height = std::to_string(top + row_height * rows);
  std::string svg = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" + width + " " + height + "\" width=\"" +
                    width + "\" height=\"" + height +
                    "\" role=\"img\"><title>Two queries as graphs, and the attention between their nodes</title>\n"
                    "<style>svg{background:#fff}text{font:12px sans-serif;fill:#222}.tree{stroke:#222;fill:none}"
                    ".attention{stroke:#0a7d33;stroke-width:2}.computing{fill:#1f5fa8}.content{fill:#c46a00}</style>\n";
  draw_attention(svg, attention.forth, left, right);
  draw_attention(svg, attention.back, right, left);
  draw_edges(svg, first, left);
  draw_edges(svg, second, right);
  draw_nodes(svg, first, left);
  draw_nodes(svg, second, right);
  return svg + "</svg>\n";
}

}  // namespace trustsql::gmn
