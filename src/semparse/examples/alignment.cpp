#include "semparse/examples/alignment.hpp"

#include <algorithm>
#include <limits>

namespace trustsql::semparse {

namespace {

constexpr float never = std::numeric_limits<float>::infinity();
constexpr float same_stem = 0.1F;  // share of the word's weight

enum class Move : std::uint8_t { none, match, extra, missing, fill };

struct Cell {
  float cost = never;
  Move move = Move::none;
  std::uint8_t length = 0;  // words that fill a slot
};

}  // namespace

std::optional<Alignment> align(const QuestionForm& question, std::size_t reading, const std::vector<int>& items,
                               const std::vector<TemplateSlot>& slots) {
  const auto& words = question.readings()[reading];
  const auto& bank = question.bank();
  const auto rows = items.size() + 1;
  const auto columns = words.at.size() + 1;
  std::vector<float> extra_cost;
  for (std::size_t j = 0; j + 1 < columns; ++j) extra_cost.push_back(question.extra_cost(words.at[j]));
  std::vector<Cell> table(rows * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> Cell& { return table[i * columns + j]; };
  const auto reach = [&](std::size_t i, std::size_t j, float cost, Move move, std::size_t length) {
    auto& cell = at(i, j);
    if (cost < cell.cost) cell = {cost, move, static_cast<std::uint8_t>(length)};
  };
  at(0, 0).cost = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::vector<std::vector<SlotSpan>>* spans = nullptr;
    const bool last = i + 1 == rows;
    if (!last && items[i] < 0) spans = &question.spans(reading, slots[static_cast<std::size_t>(-1 - items[i])]);
    for (std::size_t j = 0; j < columns; ++j) {
      const float cost = at(i, j).cost;
      if (cost == never) continue;
      if (j + 1 < columns) reach(i, j + 1, cost + extra_cost[j], Move::extra, 0);
      if (last) continue;
      if (spans != nullptr) {
        if (j + 1 < columns)
          for (const auto& span : (*spans)[j]) reach(i + 1, j + span.length, cost + span.cost, Move::fill, span.length);
        continue;
      }
      reach(i + 1, j, cost + bank.word(items[i]).weight, Move::missing, 0);
      if (j + 1 == columns) continue;
      if (words.ids[j] == items[i]) {
        reach(i + 1, j + 1, cost, Move::match, 0);
      } else if (question.stem(words.at[j]) == bank.stem(items[i])) {
        reach(i + 1, j + 1, cost + same_stem * bank.word(items[i]).weight, Move::match, 0);
      }
    }
  }
  if (at(rows - 1, columns - 1).cost == never) return std::nullopt;
  Alignment alignment{at(rows - 1, columns - 1).cost, std::vector<WordSpan>(slots.size())};
  for (std::size_t i = rows - 1, j = columns - 1; i > 0 || j > 0;) {
    const auto& cell = at(i, j);
    switch (cell.move) {
      case Move::match:
        --i;
        --j;
        break;
      case Move::extra: alignment.extra.push_back(words.at[--j]); break;
      case Move::missing: alignment.missing.push_back(items[--i]); break;
      case Move::fill: {
        j -= cell.length;
        --i;
        auto& span = alignment.slots[static_cast<std::size_t>(-1 - items[i])];
        const WordSpan found{words.at[j], words.at[j + cell.length - 1] + 1};
        if (span.size() != 0 &&
            words_key(question.words(), span.first, span.last) != words_key(question.words(), found.first, found.last))
          return std::nullopt;
        span = found;
        break;
      }
      case Move::none: return std::nullopt;
    }
  }
  std::reverse(alignment.extra.begin(), alignment.extra.end());
  std::reverse(alignment.missing.begin(), alignment.missing.end());
  return alignment;
}

}  // namespace trustsql::semparse
