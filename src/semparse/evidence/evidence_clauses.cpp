// What the clauses of a candidate say, and how the question names it.

#include <algorithm>

#include "base/text.hpp"
#include "semparse/evidence/evidence_collector.hpp"
#include "semparse/question/question_cues.hpp"

namespace trustsql::semparse {

void EvidenceCollector::selection() {
  std::size_t columns = 0;
  int named = 0;
  int worst = 4;
  int ids = 0;
  int numbers = 0;
  int displays = 0;
  int others = 0;  // neither named nor what names a row
  float rank = unknown;
  float next_rank = unknown;
  bool in_order = true;
  std::size_t place = 0;
  std::size_t first_selected = view_.question().words.size();
  for (const auto& part : draft_.select)
    for (const auto column : part) {
      ++columns;
      const auto* mention = mention_of(column);
      const bool display = domain_.is_display(column);
      if (mention != nullptr) {
        ++named;
        in_order &= mention->span.first >= place;
        place = mention->span.first;
        first_selected = std::min(first_selected, mention->span.first);
      } else if (const auto* table = mention_of_table(table_of(column)); table != nullptr) {
        first_selected = std::min(first_selected, table->span.first);
      }
      worst = std::min(worst, naming(mention));
      ids += domain_.column(column).is_id ? 1 : 0;
      numbers += domain_.column(column).kind == DataKind::number ? 1 : 0;
      if (mention != nullptr) continue;
      displays += display ? 1 : 0;
      others += display || domain_.column(column).is_id ? 0 : 1;
      if (!display) continue;
      rank = static_cast<float>(domain_.table(table_of(column)).display_rank);
      next_rank = static_cast<float>(domain_.table(table_of(column)).next_display_rank);
    }
  bool rows_named = true;
  for (const auto table : draft_.rows) {
    if (table == nothing) continue;
    const auto* mention = mention_of_table(table);
    rows_named &= mention != nullptr;
    if (mention != nullptr) first_selected = std::min(first_selected, mention->span.first);
  }
  std::size_t first_name = view_.question().words.size();
  for (std::size_t i = 0; i < view_.question().words.size(); ++i)
    if (view_.kind(i) == Symbol::column || view_.kind(i) == Symbol::table) {
      first_name = i;
      break;
    }
  int conjunctions = 0;  // "and" and commas before the first condition
  for (const auto& word : view_.question().words) conjunctions += word.lower == "and" || word.lower == "," ? 1 : 0;
  for (const auto& part : draft_.select) columns -= domain_.full_names(part);
  write_("selected columns", columns);
  write_("selected items", skeleton_.select.size());
  write_("selected and named", named);
  write_("selected, the worst named", columns == 0 ? unknown : static_cast<float>(worst));
  write_("selected ids", ids);
  write_("selected numbers", numbers);
  write_("selected display columns that are not named", displays);
  write_("selected columns that nothing speaks for", others);
  write_("how well the display column names a row", rank);
  write_("how well the next column names it", next_rank);
  write_("selected in the order of the question", in_order);
  write_("counted tables are named", rows_named);
  write_("names before what is selected", static_cast<float>(first_selected) - static_cast<float>(first_name));
  write_("conjunctions", conjunctions);
  write_("question word", question_word());
  write_("first item", skeleton_.select.empty() ? unknown : first_item());
}

float EvidenceCollector::first_item() const {
  const auto& part = skeleton_.select.front();
  if (part.aggregate != Aggregate::none) return 10.0F + static_cast<float>(part.aggregate) + (part.rows ? 10.0F : 0.0F);
  if (draft_.select.front().empty()) return unknown;
  const auto& column = domain_.column(draft_.select.front().front());
  return static_cast<float>(column.kind) + (column.is_id ? 5.0F : 0.0F);
}

int EvidenceCollector::question_word() const {
  const auto& words = view_.question().words;
  for (std::size_t i = 0; i < std::min<std::size_t>(words.size(), 4); ++i) {
    const auto& word = words[i].lower;
    if (word == "how")
      return i + 1 < words.size() && words[i + 1].lower == "many"   ? 1
             : i + 1 < words.size() && words[i + 1].lower == "much" ? 2
                                                                    : 3;
    if (word == "who" || word == "whose") return 4;
    if (word == "when") return 5;
    if (word == "where") return 6;
    if (word == "why") return 7;
    if (word == "which") return 8;
    if (word == "what") return 9;
    if (word == "list" || word == "show" || word == "give" || word == "find" || word == "return") return 10;
    if (word == "count") return 11;
    if (word == "is" || word == "are" || word == "does" || word == "do") return 12;
  }
  return 0;
}

void EvidenceCollector::conditions() {
  int used = 0;
  int column_named = 0;
  int far = 0;
  int several = 0;
  int other_table = 0;
  int out_of_range = 0;
  int names = 0;  // values that are also names
  int unlinked = 0;
  int worst = 4;
  int inexact = 0;
  int derived = 0;
  int respelled = 0;  // in other letters, or with blanks
  int recased = 0;
  int against_cue = 0;
  for (std::size_t i = 0; i < draft_.uses.size(); ++i) {
    if (draft_.uses[i] == LiteralUse::unused) continue;
    ++used;
    const auto& literal = view_.literals()[i];
    const auto column = draft_.literal_columns[i];
    if (column == nothing) continue;
    const auto* mention = mention_of(column);
    against_cue += contradicts_cue(draft_.operators[i], literal.span) ? 1 : 0;
    worst = std::min(worst, naming(mention));
    if (mention != nullptr) {
      ++column_named;
      far = std::max(far, words_between(mention->span, literal.span));
    }
    if (literal.number != nullptr) {
      const auto& stored = domain_.column(column);
      const auto& value = literal.number->value;
      const auto* integer = std::get_if<std::int64_t>(&value);
      const auto* real = std::get_if<double>(&value);
      const double number = integer != nullptr ? static_cast<double>(*integer) : real != nullptr ? *real : 0;
      if ((stored.min && number < *stored.min) || (stored.max && number > *stored.max)) ++out_of_range;
      if (stored.kind != DataKind::number && stored.kind != DataKind::date) ++inexact;
    } else {
      std::vector<ColumnId> owners;
      bool here = false;
      bool exact = false;
      bool same_letters = false;
      for (const auto& cell : literal.value->cells) {
        here |= cell.column == column;
        exact |= cell.column == column && cell.text == literal.value->text;
        same_letters |= cell.column == column && equals_ignore_case(cell.text, literal.value->text);
        if (std::find(owners.begin(), owners.end(), cell.column) == owners.end()) owners.push_back(cell.column);
      }
      several = std::max(several, static_cast<int>(owners.size()));
      for (const auto owner : owners)
        if (table_of(owner) != table_of(column) && mention_of_table(table_of(owner)) != nullptr &&
            mention_of_table(table_of(column)) == nullptr)
          ++other_table;
      if (literal.value->is_name) ++names;
      if (!here) ++unlinked;
      if (!literal.value->quoted && !literal.value->capitalised) ++inexact;
      if (literal.value->is_derived) ++derived;
      if (here && !exact) ++(same_letters ? recased : respelled);
    }
  }
  write_("conditions", operators_.conditions);
  write_("used values", used);
  write_("used values whose column is named", column_named);
  write_("used values, the worst named column", used == 0 ? unknown : static_cast<float>(worst));
  write_("words between value and column", far);
  write_("columns that hold a used value", several);
  write_("holders in a table that is named, chosen one not", other_table);
  write_("numbers out of range", out_of_range);
  write_("used values that are names", names);
  write_("used values that the column does not hold", unlinked);
  write_("used values in small letters", inexact);
  write_("used values in other words", derived);
  write_("used values that are stored in other letters", recased);
  write_("used values that are stored with other marks", respelled);
  write_("comparisons against their cue", against_cue);
}

bool EvidenceCollector::contradicts_cue(LiteralOperator op, WordSpan literal) const {
  for (const auto& mention : question_.cues) {
    const bool more = mention.cue == Cue::more;
    if ((!more && mention.cue != Cue::less) || mention.span.last > literal.first + 1 ||
        mention.span.last + 2 < literal.first)
      continue;
    const bool negated = std::any_of(question_.cues.begin(), question_.cues.end(), [&](const CueMention& each) {
      return each.cue == Cue::negation && each.span.last <= mention.span.first &&
             mention.span.first - each.span.last <= 1;
    });
    const bool greater = op == LiteralOperator::greater || op == LiteralOperator::greater_equal;
    const bool less = op == LiteralOperator::less || op == LiteralOperator::less_equal;
    if (greater || less) return greater != (more != negated);
  }
  return false;
}

void EvidenceCollector::grouping() {
  const auto group = draft_.group;
  write_("group naming", group == nothing ? unknown : static_cast<float>(naming(mention_of(group))));
  write_("group is an id", group != nothing && domain_.column(group).is_id);
  const auto* table = group == nothing ? nullptr : mention_of_table(table_of(group));
  write_("group table naming", group == nothing ? unknown : static_cast<float>(naming(table)));
  bool selected = false;
  bool same_table = false;
  for (const auto& part : draft_.select)
    for (const auto column : part) {
      selected |= column == group;
      same_table |= group != nothing && table_of(column) == table_of(group);
    }
  write_("group is selected", group != nothing && selected);
  write_("group's table is selected", same_table);
  int after_each = 99;
  if (group != nothing)
    for (const auto& mention : question_.cues) {
      if (mention.cue != Cue::each) continue;
      if (const auto* named = mention_of(group))
        after_each = std::min(after_each, words_between(mention.span, named->span));
      if (table != nullptr) after_each = std::min(after_each, words_between(mention.span, table->span));
    }
  write_("words between 'each' and the group", after_each);
  write_("having", operators_.having);
  const auto counted = draft_.having.table;
  write_("having counts a named table",
         counted == nothing ? unknown : static_cast<float>(naming(mention_of_table(counted))));
}

void EvidenceCollector::ordering() {
  const auto column = draft_.order.column;
  const auto table = draft_.order.table;
  write_("order naming", column == nothing ? unknown : static_cast<float>(naming(mention_of(column))));
  write_("order is a number", column == nothing ? unknown
                                                : static_cast<float>(domain_.column(column).kind == DataKind::number ||
                                                                     domain_.column(column).kind == DataKind::date));
  write_("order counts a named table",
         table == nothing ? unknown : static_cast<float>(naming(mention_of_table(table))));
  int distance = 99;
  const auto* mention = column != nothing ? mention_of(column) : table != nothing ? mention_of_table(table) : nullptr;
  if (mention != nullptr)
    for (const auto& each : question_.cues)
      if (each.cue == Cue::highest || each.cue == Cue::lowest || each.cue == Cue::order || each.cue == Cue::top)
        distance = std::min(distance, words_between(each.span, mention->span));
  write_("words between superlative and order", distance);
  // "Who is the oldest?" asks for an order by age, or for the greatest age.
  std::vector<const Mention*> extremes = {mention};
  for (const auto& term : candidate_.tree.block.select)
    if (term.column != nothing && (term.aggregate == Aggregate::max || term.aggregate == Aggregate::min))
      extremes.push_back(mention_of(term.column));
  int missed = 0;
  for (std::size_t i = 0; i < view_.question().words.size(); ++i) {
    if (!is_particular_superlative(view_.question(), i)) continue;
    const auto speaks_of = [i](const Mention* each) { return each != nullptr && each->span.contains({i, i + 1}); };
    if (std::none_of(extremes.begin(), extremes.end(), speaks_of)) ++missed;
  }
  write_("superlatives of something else", missed);
  write_("order with an aggregate", static_cast<int>(draft_.order.aggregate));
}

}  // namespace trustsql::semparse
