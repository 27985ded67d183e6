#include "semparse/evidence.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace trustsql::semparse {

namespace {

// Operators of a tree, with those of its subquery and its second query.
struct Operators {
  int average = 0;
  int sum = 0;
  int count = 0;
  int maximum = 0;
  int minimum = 0;
  int first_descending = 0;  // ORDER BY with LIMIT
  int first_ascending = 0;
  int order = 0;  // without LIMIT
  int order_descending = 0;
  int group = 0;
  int distinct = 0;
  int negation = 0;
  int greater = 0;
  int less = 0;
  int between = 0;
  int like = 0;
  int limit_number = 0;
  int any = 0;
  int than_aggregate = 0;
  int intersect = 0;
  int union_ = 0;
  int except = 0;
  int conditions = 0;
  int having = 0;
  int nulls = 0;
};

void count_term(const Term& term, Operators& found) {
  switch (term.aggregate) {
    case Aggregate::avg: ++found.average; break;
    case Aggregate::sum: ++found.sum; break;
    case Aggregate::count: ++found.count; break;
    case Aggregate::max: ++found.maximum; break;
    case Aggregate::min: ++found.minimum; break;
    case Aggregate::none: break;
  }
  if (term.distinct) ++found.distinct;
}

void count_block(const Block& block, Operators& found);

void count_condition(const Condition& condition, Operators& found) {
  ++found.conditions;
  count_term(condition.term, found);
  switch (condition.comparison) {
    case Comparison::not_equal:
    case Comparison::not_like:
    case Comparison::not_in: ++found.negation; break;
    case Comparison::less:
    case Comparison::less_equal: ++found.less; break;
    case Comparison::greater:
    case Comparison::greater_equal: ++found.greater; break;
    case Comparison::between: ++found.between; break;
    case Comparison::is_null:
    case Comparison::is_not_null: ++found.nulls; break;
    default: break;
  }
  if (condition.comparison == Comparison::like || condition.comparison == Comparison::not_like) ++found.like;
  for (const auto& inner : condition.subquery) {
    if (!inner.select.empty() && inner.select.front().aggregate != Aggregate::none) ++found.than_aggregate;
    count_block(inner, found);
  }
}

void count_block(const Block& block, Operators& found) {
  for (const auto& term : block.select) count_term(term, found);
  if (block.distinct) ++found.distinct;
  if (block.any) ++found.any;
  for (const auto& condition : block.where) count_condition(condition, found);
  for (const auto& condition : block.having) {
    count_condition(condition, found);
    ++found.having;
  }
  if (!block.group.empty()) ++found.group;
  for (const auto& order : block.order) {
    count_term(order.term, found);
    if (block.limit)
      ++(order.descending ? found.first_descending : found.first_ascending);
    else
      ++found.order;
    if (order.descending) ++found.order_descending;
  }
  if (block.limit && *block.limit > 1) ++found.limit_number;
}

Operators operators_of(const Tree& tree) {
  Operators found;
  count_block(tree.block, found);
  for (const auto& other : tree.other) count_block(other, found);
  switch (tree.operation) {
    case SetOperation::intersect: ++found.intersect; break;
    case SetOperation::union_: ++found.union_; break;
    case SetOperation::except:
      ++found.except;
      ++found.negation;
      break;
    case SetOperation::none: break;
  }
  return found;
}

// How well the question names something: 0 not at all, 4 by its own words.
int naming(const Mention* mention) {
  if (mention == nullptr) return 0;
  if (mention->whole()) return mention->weakest == WordMatch::form ? 4 : 3;
  return mention->coverage > 0.5F ? 2 : 1;
}

int gap(WordSpan a, WordSpan b) {
  if (a.overlaps(b)) return 0;
  return static_cast<int>(a.last <= b.first ? b.first - a.last : a.first - b.last);
}

constexpr float unknown = -1;

// Collects the numbers.
class EvidenceWriter {
 public:
  void operator()(std::string_view name, float value) { evidence_.push_back({name, value}); }
  void operator()(std::string_view name, int value) { (*this)(name, static_cast<float>(value)); }
  void operator()(std::string_view name, std::size_t value) { (*this)(name, static_cast<float>(value)); }
  void operator()(std::string_view name, bool value) { (*this)(name, value ? 1.0F : 0.0F); }
  std::vector<Evidence> take() { return std::move(evidence_); }

 private:
  std::vector<Evidence> evidence_;
};

class EvidenceCollector {
 public:
  EvidenceCollector(const QuestionView& view, const QuestionEvidence& question,
                    const std::vector<Candidate>& candidates, std::size_t number)
      : view_(view),
        domain_(view.domain()),
        question_(question),
        candidates_(candidates),
        number_(number),
        candidate_(candidates[number]),
        draft_(candidate_.draft),
        skeleton_(*draft_.skeleton),
        operators_(operators_of(candidate_.tree)),
        explanation_(explain(view, candidate_)) {}

  std::vector<Evidence> collect() {
    standing();
    cues();
    words();
    selection();
    conditions();
    grouping();
    ordering();
    tables();
    rivals();
    return write_.take();
  }

 private:
  int cue(Cue kind) const { return question_.cue_counts[static_cast<std::size_t>(kind)]; }
  const Mention* mention_of(ColumnId column) const { return view_.column_mention(column); }
  const Mention* mention_of_table(TableId table) const { return view_.table_mention(table); }
  TableId table_of(ColumnId column) const { return domain_.column(column).table; }

  // How the candidate stands among the others.
  void standing() {
    const auto& first = candidates_.front();
    write_("score of the form", candidate_.skeleton_score);
    write_("score of the slots", candidate_.score - candidate_.skeleton_score);
    write_("score below the best", candidate_.score - first.score);
    write_("weakest step", std::max(draft_.weakest, -8.0F));
    write_("rank", number_);
    write_("candidates", candidates_.size());
    // Marginals: how much of the probability of all candidates agrees with each clause of this one.
    double total = 0;
    double form = 0;
    double select = 0;
    double where = 0;
    double group = 0;
    double order = 0;
    double from = 0;
    const auto& block = candidate_.tree.block;
    for (const auto& other : candidates_) {
      const double mass = std::exp(static_cast<double>(other.score - first.score));
      const auto& rival = other.tree.block;
      total += mass;
      if (other.draft.skeleton == draft_.skeleton) form += mass;
      if (rival.select == block.select) select += mass;
      if (rival.where == block.where) where += mass;
      if (rival.group == block.group && rival.having == block.having) group += mass;
      if (rival.order == block.order && rival.limit == block.limit) order += mass;
      if (other.draft.used == draft_.used) from += mass;
    }
    write_("marginal of the form", static_cast<float>(form / total));
    write_("marginal of SELECT", static_cast<float>(select / total));
    write_("marginal of WHERE", static_cast<float>(where / total));
    write_("marginal of GROUP BY", static_cast<float>(group / total));
    write_("marginal of ORDER BY", static_cast<float>(order / total));
    write_("marginal of FROM", static_cast<float>(from / total));
    write_("probability among the candidates",
           static_cast<float>(std::exp(static_cast<double>(candidate_.score - first.score)) / total));
  }

  // What the question asks for, and what the candidate does.
  void cues() {
    const auto& f = operators_;
    write_("cue: average", cue(Cue::average));
    write_("avg", f.average);
    write_("cue: sum", cue(Cue::sum));
    write_("sum", f.sum);
    write_("cue: count", cue(Cue::count));
    write_("count", f.count);
    write_("cue: maximum", cue(Cue::maximum));
    write_("max", f.maximum);
    write_("cue: minimum", cue(Cue::minimum));
    write_("min", f.minimum);
    write_("cue: highest", cue(Cue::highest));
    write_("cue: lowest", cue(Cue::lowest));
    write_("first, descending", f.first_descending);
    write_("first, ascending", f.first_ascending);
    write_("cue: order", cue(Cue::order));
    write_("order", f.order);
    write_("cue: descending", cue(Cue::descending));
    write_("descending", f.order_descending);
    write_("cue: each", cue(Cue::each));
    write_("group", f.group);
    write_("cue: distinct", cue(Cue::distinct));
    write_("distinct", f.distinct);
    write_("cue: negation", cue(Cue::negation));
    write_("negation", f.negation);
    write_("cue: both", cue(Cue::both));
    write_("intersect", f.intersect);
    write_("cue: either", cue(Cue::either));
    write_("or", f.any + f.union_);
    write_("cue: more", cue(Cue::more));
    write_("greater", f.greater);
    write_("cue: less", cue(Cue::less));
    write_("less", f.less);
    write_("cue: between", cue(Cue::between));
    write_("between", f.between);
    write_("cue: pattern", cue(Cue::pattern));
    write_("like", f.like);
    write_("cue: top", cue(Cue::top));
    write_("limit above one", f.limit_number);
    write_("cue: same", cue(Cue::same));
    write_("cue: than average", cue(Cue::than_average));
    write_("compared with an aggregate", f.than_aggregate);
    write_("except", f.except);
    write_("NULL tests", f.nulls);
    const auto missing = [](int asked, int done) { return std::max(0, asked - done); };
    const auto extra = [](int asked, int done) { return std::max(0, done - asked); };
    const int superlatives =
        cue(Cue::highest) + cue(Cue::lowest) + cue(Cue::maximum) + cue(Cue::minimum) + cue(Cue::top);
    const int firsts = f.maximum + f.minimum + f.first_ascending + f.first_descending;
    write_("operators missing", missing(cue(Cue::average), f.average) + missing(superlatives, firsts) +
                                    missing(cue(Cue::count) + cue(Cue::sum), f.count + f.sum) +
                                    missing(cue(Cue::order), f.order) + missing(cue(Cue::negation), f.negation) +
                                    missing(cue(Cue::between), f.between) + missing(cue(Cue::pattern), f.like) +
                                    missing(cue(Cue::both), f.intersect) + missing(cue(Cue::each), f.group) +
                                    missing(cue(Cue::than_average), f.than_aggregate) +
                                    missing(cue(Cue::more), f.greater) + missing(cue(Cue::less), f.less));
    write_("operators extra",
           extra(cue(Cue::average), f.average) + extra(superlatives, firsts) +
               extra(cue(Cue::order) + cue(Cue::descending), f.order) + extra(cue(Cue::negation), f.negation) +
               extra(cue(Cue::between), f.between) + extra(cue(Cue::pattern), f.like) +
               extra(cue(Cue::more), f.greater) + extra(cue(Cue::less), f.less) + extra(cue(Cue::sum), f.sum) +
               extra(cue(Cue::count) + cue(Cue::sum) + superlatives + cue(Cue::more) + cue(Cue::less), f.count));
  }

  // Words that nothing in the candidate stands for.
  void words() {
    const auto& words = view_.question().words;
    auto explained = explanation_.explained;
    for (const auto& mention : question_.cues)
      for (auto i = mention.span.first; i < mention.span.last; ++i) explained[i] = true;
    int content = 0;
    int unknowns = 0;
    int linked = 0;
    int parts = 0;
    int plain = 0;
    float suspicion = 0;
    float worst = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (is_function_word(words[i])) continue;
      ++content;
      if (explained[i]) continue;
      float weight = 1;
      switch (view_.kind(i)) {
        case Symbol::unknown: ++unknowns; break;
        case Symbol::column:
        case Symbol::table: ++linked; break;
        case Symbol::part: ++parts; break;
        default:
          ++plain;
          weight = 1 - view_.vocabulary().idle(words[i].lower);
          break;
      }
      suspicion += weight;
      worst = std::max(worst, weight);
    }
    write_("words", words.size());
    write_("content words", content);
    write_("unexplained: unknown words", unknowns);
    write_("unexplained: names", linked);
    write_("unexplained: parts of names", parts);
    write_("unexplained: common words", plain);
    write_("unexplained weight", suspicion);
    write_("unexplained, the heaviest", worst);
    write_("unused values", explanation_.unused_literals.size());
    write_("literals", view_.literals().size());
  }

  // Whether the question's first noun is what is returned, and how it is named.
  void selection() {
    std::size_t columns = 0;
    int named = 0;
    int worst = 4;
    int ids = 0;
    int numbers = 0;
    int displays = 0;
    bool in_order = true;
    std::size_t place = 0;
    std::size_t first_selected = view_.question().words.size();
    for (const auto& part : draft_.select)
      for (const auto column : part) {
        ++columns;
        const auto* mention = mention_of(column);
        const bool display = domain_.table(table_of(column)).display == column;
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
        displays += display && mention == nullptr ? 1 : 0;
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
    write_("selected columns", columns);
    write_("selected items", skeleton_.select.size());
    write_("selected and named", named);
    write_("selected, the worst named", columns == 0 ? unknown : static_cast<float>(worst));
    write_("selected ids", ids);
    write_("selected numbers", numbers);
    write_("selected display columns that are not named", displays);
    write_("selected in the order of the question", in_order);
    write_("counted tables are named", rows_named);
    write_("names before what is selected", static_cast<float>(first_selected) - static_cast<float>(first_name));
    write_("conjunctions", conjunctions);
    write_("question word", question_word());
    write_("first item", skeleton_.select.empty() ? unknown : first_item());
  }

  float first_item() const {
    const auto& part = skeleton_.select.front();
    if (part.aggregate != Aggregate::none)
      return 10.0F + static_cast<float>(part.aggregate) + (part.rows ? 10.0F : 0.0F);
    if (draft_.select.front().empty()) return unknown;
    const auto& column = domain_.column(draft_.select.front().front());
    return static_cast<float>(column.kind) + (column.is_id ? 5.0F : 0.0F);
  }

  int question_word() const {
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

  void conditions() {
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
        far = std::max(far, gap(mention->span, literal.span));
      }
      if (literal.number != nullptr) {
        const auto& stored = domain_.column(column);
        const auto& value = literal.number->value;
        const auto* integer = std::get_if<std::int64_t>(&value);
        const auto* real = std::get_if<double>(&value);
        const double number = integer != nullptr ? static_cast<double>(*integer) : real != nullptr ? *real : 0;
        if (stored.min && (number < *stored.min || number > *stored.max)) ++out_of_range;
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

  // Whether the words before a literal ask for another comparison: "more than 3" and <, "not more than 3" and >.
  bool contradicts_cue(LiteralOperator op, WordSpan literal) const {
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

  void grouping() {
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
        if (const auto* named = mention_of(group)) after_each = std::min(after_each, gap(mention.span, named->span));
        if (table != nullptr) after_each = std::min(after_each, gap(mention.span, table->span));
      }
    write_("words between 'each' and the group", after_each);
    write_("having", operators_.having);
    const auto counted = draft_.having.table;
    write_("having counts a named table",
           counted == nothing ? unknown : static_cast<float>(naming(mention_of_table(counted))));
  }

  void ordering() {
    const auto column = draft_.order.column;
    const auto table = draft_.order.table;
    write_("order naming", column == nothing ? unknown : static_cast<float>(naming(mention_of(column))));
    write_("order is a number", column == nothing
                                    ? unknown
                                    : static_cast<float>(domain_.column(column).kind == DataKind::number ||
                                                         domain_.column(column).kind == DataKind::date));
    write_("order counts a named table",
           table == nothing ? unknown : static_cast<float>(naming(mention_of_table(table))));
    int distance = 99;
    const auto* mention = column != nothing ? mention_of(column) : table != nothing ? mention_of_table(table) : nullptr;
    if (mention != nullptr)
      for (const auto& each : question_.cues)
        if (each.cue == Cue::highest || each.cue == Cue::lowest || each.cue == Cue::order || each.cue == Cue::top)
          distance = std::min(distance, gap(each.span, mention->span));
    write_("words between superlative and order", distance);
    write_("order with an aggregate", static_cast<int>(draft_.order.aggregate));
  }

  void tables() {
    int named = 0;
    int unnamed = 0;
    int bare = 0;  // neither the table nor a column of it is named
    for (const auto table : explanation_.tables) {
      const bool by_column = std::any_of(explanation_.uses.begin(), explanation_.uses.end(),
                                         [&](const auto& use) { return use.table == table && use.mention != nullptr; });
      const bool is_named = mention_of_table(table) != nullptr;
      named += is_named ? 1 : 0;
      unnamed += is_named ? 0 : 1;
      bare += is_named || by_column ? 0 : 1;
    }
    int left_out = 0;  // tables that are named in full, and not used
    for (TableId table = 0; table < static_cast<TableId>(domain_.tables().size()); ++table) {
      const auto* mention = mention_of_table(table);
      if (mention == nullptr || !mention->whole()) continue;
      if (std::binary_search(explanation_.tables.begin(), explanation_.tables.end(), table)) continue;
      bool within_column = false;
      for (const auto& use : explanation_.uses)
        within_column |= use.mention != nullptr && use.column != nothing && use.mention->span.contains(mention->span);
      if (!within_column) ++left_out;
    }
    write_("tables", explanation_.tables.size());
    write_("tables named", named);
    write_("tables not named", unnamed);
    write_("tables without any name", bare);
    write_("tables left out", left_out);
    write_("joins", explanation_.joins);
    write_("inferred joins", explanation_.inferred_joins);
    write_("join trees", explanation_.join_trees);
    write_("further table", draft_.further != nothing);
    write_("tables of the database", domain_.tables().size());
  }

  // Where other columns have the same words.
  void rivals() {
    int better = 0;
    int equal_used = 0;  // of a table that is used or named
    int equal_elsewhere = 0;
    int unnamed = 0;
    int owner_agrees = 0;
    int owner_differs = 0;
    int named_owner_agrees = 0;
    int named_owner_refers = 0;
    int named_owner_differs = 0;
    float coverage = 1;
    for (const auto& use : explanation_.uses) {
      if (use.column == nothing) continue;
      if (use.mention == nullptr) {
        ++unnamed;
        continue;
      }
      coverage = std::min(coverage, use.mention->coverage);
      for (ColumnId other = 0; other < static_cast<ColumnId>(domain_.columns().size()); ++other) {
        const auto* rival = other == use.column ? nullptr : mention_of(other);
        if (rival == nullptr || !rival->span.overlaps(use.mention->span)) continue;
        const bool also_used = std::any_of(explanation_.uses.begin(), explanation_.uses.end(),
                                           [&](const auto& each) { return each.column == other; });
        if (also_used) continue;
        if (rival->coverage > use.mention->coverage + 0.05F && rival->matched >= use.mention->matched) ++better;
        if (rival->coverage < use.mention->coverage - 0.05F) continue;
        const auto table = table_of(other);
        const bool near = std::binary_search(explanation_.tables.begin(), explanation_.tables.end(), table) ||
                          mention_of_table(table) != nullptr;
        ++(near ? equal_used : equal_elsewhere);
      }
      // The table that is mentioned nearest to the column should be its own.
      int own = 99;
      int others = 99;
      for (TableId table = 0; table < static_cast<TableId>(domain_.tables().size()); ++table) {
        for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(table)]) {
          if (mention.coverage < 0.5F) continue;
          auto& nearest = table == use.table ? own : others;
          nearest = std::min(nearest, gap(mention.span, use.mention->span));
        }
      }
      if (own < others)
        ++owner_agrees;
      else if (others < own)
        ++owner_differs;
      const auto owner = explicit_owner(use.mention->span);
      if (owner == nothing) continue;
      if (owner == use.table)
        ++named_owner_agrees;
      else if (refers_to(owner, use.table))
        ++named_owner_refers;
      else
        ++named_owner_differs;
    }
    write_("better names", better);
    write_("equal names near", std::min(equal_used, 9));
    write_("equal names elsewhere", std::min(equal_elsewhere, 9));
    write_("uses that are not named", unnamed);
    write_("columns beside their table", owner_agrees);
    write_("columns beside another table", owner_differs);
    write_("least coverage of a name", coverage);
    write_("columns of the table that is said to own them", named_owner_agrees);
    write_("columns of a table that their owner refers to", named_owner_refers);
    write_("columns of another table than their owner", named_owner_differs);
  }

  bool refers_to(TableId from, TableId to) const {
    return std::any_of(domain_.edges().begin(), domain_.edges().end(), [&](const JoinEdge& edge) {
      return table_of(edge.child) == from && table_of(edge.parent) == to;
    });
  }

  // The table that the question says owns the column: B in "A of B", "A and C of B", "B's A", "the B A".
  TableId explicit_owner(WordSpan column) const {
    const auto& words = view_.question().words;
    bool linked = false;
    constexpr std::size_t reach = 9;
    for (auto i = column.last; i < std::min(words.size(), column.last + reach); ++i) {
      if (const auto table = table_at(i, false); linked && table != nothing) return table;
      const auto& word = words[i].lower;
      if (word == "of" || word == "for" || word == "from") {
        linked = true;
      } else if (!is_function_word(words[i]) && (linked || !names_a_column(i))) {
        break;
      }
    }
    if (column.first == 0) return nothing;
    const bool possessive = words[column.first - 1].lower == "'s" && column.first >= 2;
    return table_at(column.first - (possessive ? 2 : 1), true);
  }

  // The table whose whole name stands at a word, or ends there.
  TableId table_at(std::size_t word, bool ends) const {
    for (TableId table = 0; table < static_cast<TableId>(domain_.tables().size()); ++table)
      for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(table)])
        if (mention.whole() && (ends ? mention.span.last == word + 1 : mention.span.first == word)) return table;
    return nothing;
  }

  bool names_a_column(std::size_t word) const {
    return std::any_of(explanation_.uses.begin(), explanation_.uses.end(), [&](const auto& use) {
      return use.column != nothing && use.mention != nullptr && use.mention->span.contains({word, word + 1});
    });
  }

  const QuestionView& view_;
  const Domain& domain_;
  const QuestionEvidence& question_;
  const std::vector<Candidate>& candidates_;
  std::size_t number_;
  const Candidate& candidate_;
  const Draft& draft_;
  const Skeleton& skeleton_;
  Operators operators_;
  Explanation explanation_;
  EvidenceWriter write_{};
};

}  // namespace

QuestionEvidence question_evidence(const QuestionView& view) {
  QuestionEvidence evidence{find_cues(view.question()), {}};
  for (const auto& mention : evidence.cues) ++evidence.cue_counts[static_cast<std::size_t>(mention.cue)];
  return evidence;
}

std::vector<Evidence> evidence_of(const QuestionView& view, const QuestionEvidence& question,
                                  const std::vector<Candidate>& candidates, std::size_t number) {
  auto evidence = EvidenceCollector(view, question, candidates, number).collect();
  evidence.resize(evidence_count);
  return evidence;
}

std::vector<float> evidence_values(const QuestionView& view, const QuestionEvidence& question,
                                   const std::vector<Candidate>& candidates, std::size_t number) {
  std::vector<float> values;
  for (const auto& each : evidence_of(view, question, candidates, number)) values.push_back(each.value);
  return values;
}

}  // namespace trustsql::semparse
