#include "semparse/grounding.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "semparse/intent.hpp"
#include "semparse/question_cues.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t shown = 60;         // bytes of a word or value
constexpr float part_of_name = 0.4F;      // a mention with less coverage says nothing
constexpr std::size_t code_length = 3;    // shorter texts may be codes for what the question says: 'F', 'USA'
constexpr std::size_t common_prefix = 4;  // letters that make two words relatives: "French", "France" share fewer

// Columns that any table may have; a mention of theirs alone names none.
constexpr std::string_view generic_names[] = {"id",    "name",        "number", "code",  "type",  "detail", "text",
                                              "value", "description", "date",   "count", "total", "order"};

bool is_generic(const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return std::find(std::begin(generic_names), std::end(generic_names), word) != std::end(generic_names);
  });
}

std::string digits_of(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c >= '0' && c <= '9') digits += c;
  return digits;
}

bool contains_words(const std::string& text, const std::string& words) {
  return words.empty() || (" " + text + " ").find(" " + words + " ") != std::string::npos;
}

bool same_number(double a, double b) { return std::fabs(a - b) < 1e-9 * std::max(1.0, std::fabs(a)); }

class Grounder {
 public:
  Grounder(const Question& question, const Linking& linking, const QueryLeaves& leaves, const Knowledge& knowledge,
           std::string_view evidence)
      : question_(question),
        licensing_(read_question(question.text + " " + std::string(evidence))),
        linking_(linking),
        leaves_(leaves),
        knowledge_(knowledge),
        domain_(knowledge.domain),
        text_(value_words(licensing_.text)) {}

  Grounding run() {
    mark_used_words();
    check_intent();
    check_literals();
    check_values_of_question();
    check_cues();
    check_operators();
    check_bounds();
    check_answer();
    check_mentions();
    check_selected();
    list_roles();
    return std::move(grounding_);
  }

 private:
  void add(GroundingRule rule, std::string detail) { grounding_.violations.push_back({rule, std::move(detail)}); }

  std::string name_of(ColumnId id) const {
    const auto& column = domain_.column(id);
    return domain_.table(column.table).name + "." + column.name;
  }

  bool is_used(ColumnId id) const {
    return leaves_.uses(id) || std::binary_search(leaves_.joined.begin(), leaves_.joined.end(), id);
  }

  // Which words of the question something in the query can stand for: names of its columns and tables, its literals.
  void mark_used_words() {
    used_.assign(question_.words.size(), false);
    const auto mark = [this](WordSpan span) {
      for (auto i = span.first; i < span.last; ++i) used_[i] = true;
    };
    for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id) {
      if (!is_used(id)) continue;
      for (const auto& mention : linking_.columns[static_cast<std::size_t>(id)]) mark(mention.span);
    }
    for (const auto table : leaves_.tables)
      for (const auto& mention : linking_.tables[static_cast<std::size_t>(table)]) mark(mention.span);
    for (std::size_t i = 0; i < question_.words.size(); ++i) names_shared_ |= used_[i];
    for (std::size_t i = 0; i < question_.words.size(); ++i) {
      const auto& word = question_.words[i];
      const auto plain = value_words(word.text);
      if (plain.empty() || is_function_word(word)) continue;
      const bool in_literal =
          std::any_of(leaves_.literals.begin(), leaves_.literals.end(), [&](const LiteralLeaf& leaf) {
            if (leaf.number && word.number) return same_number(*leaf.number, *word.number);
            return contains_words(value_words(leaf.text), plain);
          });
      if (in_literal) used_[i] = names_shared_ = true;
    }
  }

  void check_intent() {
    std::vector<bool> named(question_.words.size(), false);
    const auto mark = [&named](const std::vector<Mention>& mentions) {
      for (const auto& mention : mentions)
        for (auto i = mention.span.first; mention.whole() && i < mention.span.last; ++i) named[i] = true;
    };
    for (const auto& mentions : linking_.columns) mark(mentions);
    for (const auto& mentions : linking_.tables) mark(mentions);
    for (const auto& value : linking_.values)
      for (auto i = value.span.first; i < value.span.last; ++i) named[i] = true;
    const auto intent = intent_of(question_, named);
    if (!intent.wants_data()) add(GroundingRule::task, std::string(intent.what) + " is not what a query gives");
  }

  // --- literals of the query

  bool has_number(double number) const {
    return std::any_of(licensing_.words.begin(), licensing_.words.end(), [&](const Word& word) {
      if (word.number && same_number(*word.number, number)) return true;
      const auto digits = digits_of(word.text);
      return !digits.empty() && digits.size() < 16 && same_number(std::stod(digits), number);
    });
  }

  bool is_licensed(const std::string& literal) const {
    const auto words = value_words(literal);
    if (words.empty() || words.size() <= code_length || text_.find(words) != std::string::npos) return true;
    // Word by word: other forms, prefixes, synonyms.
    for (const auto& word : read_question(words).words) {
      if (is_function_word(word)) continue;
      const bool known = std::any_of(licensing_.words.begin(), licensing_.words.end(), [&](const Word& asked) {
        if (asked.lower == word.lower) return true;
        if (!digits_of(word.lower).empty() && !digits_of(asked.lower).empty())
          return digits_of(word.lower).find(digits_of(asked.lower)) != std::string::npos;
        const auto n = std::min({common_prefix, asked.lower.size(), word.lower.size()});
        if (n >= 3 && asked.lower.compare(0, n, word.lower, 0, n) == 0) return true;
        for (const auto& lemma : word.lemmas)
          if (matcher_.match(asked, lemma) != WordMatch::none) return true;
        return false;
      });
      if (known) return true;
    }
    // Initials: "UK" for United Kingdom, and the other way round.
    std::string initials;
    for (const auto& word : read_question(words).words) initials += word.lower.front();
    return std::any_of(licensing_.words.begin(), licensing_.words.end(),
                       [&](const Word& asked) { return asked.lower == initials; });
  }

  void check_literals() {
    for (const auto& literal : leaves_.literals) {
      if (literal.number) {
        const double number = *literal.number;
        const bool usual = same_number(number, 0) || same_number(number, 1);
        const bool inclusive = literal.comparison == Comparison::greater_equal ||
                               literal.comparison == Comparison::less_equal ||
                               literal.comparison == Comparison::greater || literal.comparison == Comparison::less;
        const bool near = inclusive && (has_number(number - 1) || has_number(number + 1));
        if (!usual && !near && !has_number(number) && !names_amount(number))
          add(GroundingRule::number, "the question does not say " + literal.text);
        continue;
      }
      if (!is_licensed(literal.text))
        add(GroundingRule::literal, "the question does not say " + quote_for_message(literal.text, shown));
      check_column_of(literal);
    }
  }

  // "both", "second", "dozen" ...
  bool names_amount(double number) const {
    struct Amount {
      std::string_view word;
      double number;
    };
    static constexpr Amount amounts[] = {{"both", 2},   {"second", 2},    {"twice", 2},   {"pair", 2},
                                         {"couple", 2}, {"third", 3},     {"three", 3},   {"fourth", 4},
                                         {"fifth", 5},  {"sixth", 6},     {"double", 2},  {"half", 0.5},
                                         {"dozen", 12}, {"multiple", 1},  {"several", 1}, {"teenager", 18},
                                         {"adult", 18}, {"century", 100}, {"decade", 10}};
    return std::any_of(licensing_.words.begin(), licensing_.words.end(), [&](const Word& word) {
      return std::any_of(std::begin(amounts), std::end(amounts), [&](const Amount& amount) {
        return amount.word == word.lower && same_number(amount.number, number);
      });
    });
  }

  void check_column_of(const LiteralLeaf& literal) {
    const bool equality = literal.comparison == Comparison::equal || literal.comparison == Comparison::not_equal;
    if (!equality || literal.column == nothing || !knowledge_.values.is_complete(literal.column)) return;
    const auto cells = knowledge_.values.find(literal.text);
    std::string elsewhere;
    bool here = false;
    bool exact = false;
    bool other_case = false;
    for (const auto& cell : cells) {
      if (cell.column == literal.column) {
        here = true;
        exact |= cell.text == literal.text;
        other_case |= equals_ignore_case(cell.text, literal.text);
      } else if (elsewhere.empty()) {
        elsewhere = name_of(cell.column);
      }
    }
    const auto value = quote_for_message(literal.text, shown);
    if (!here && !elsewhere.empty())
      add(GroundingRule::elsewhere, value + " is not in " + name_of(literal.column) + ", but in " + elsewhere);
    if (other_case && !exact)
      add(GroundingRule::letter_case, name_of(literal.column) + " has " + value + " in other letters only");
  }

  // --- values and numbers of the question

  bool literal_has(const std::string& words) const {
    return std::any_of(leaves_.literals.begin(), leaves_.literals.end(), [&](const LiteralLeaf& leaf) {
      const auto text = value_words(leaf.text);
      return contains_words(text, words) || (!text.empty() && contains_words(words, text));
    });
  }

  bool names_used_name(WordSpan span) const {
    for (auto i = span.first; i < span.last; ++i)
      if (!used_[i] && !is_function_word(question_.words[i])) return false;
    return true;
  }

  // Whether a quotation is a name of the query's columns or tables.
  bool quotes_name(const std::string& words) const {
    const auto says = [&words](const std::string& name) {
      const auto plain = value_words(name);
      return contains_words(words, plain) || contains_words(plain, words);
    };
    return std::any_of(leaves_.columns.begin(), leaves_.columns.end(),
                       [&](ColumnId id) { return says(domain_.column(id).name); }) ||
           std::any_of(leaves_.tables.begin(), leaves_.tables.end(),
                       [&](TableId id) { return says(domain_.table(id).name); });
  }

  void check_values_of_question() {
    for (const auto& quotation : question_.quotations) {
      const auto words = value_words(quotation.text);
      if (words.empty() || quotation.words.size() == 0) continue;
      if (!literal_has(words) && !names_used_name(quotation.words) && !quotes_name(words))
        add(GroundingRule::quotation, "the query does not use " + quote_for_message(quotation.text, shown));
    }
    for (const auto& value : linking_.values) {
      if (value.quoted || value.is_name || !value.capitalised || value.cells.empty()) continue;
      if (!literal_has(value_words(value.text)) && !names_used_name(value.span))
        add(GroundingRule::value, "the query does not use " + quote_for_message(value.text, shown));
    }
    for (const auto& number : linking_.numbers) {
      const auto& word = question_.words[number.span.first];
      if (!word.number || word.quoted || word.text.front() < '0' || word.text.front() > '9') continue;
      if (uses_number(*word.number) || names_used_name(number.span)) continue;
      add(GroundingRule::count, "the query does not use " + word.text);
    }
  }

  bool uses_number(double number) const {
    const auto digits = digits_of(std::to_string(static_cast<std::int64_t>(number)));
    return std::any_of(leaves_.literals.begin(), leaves_.literals.end(), [&](const LiteralLeaf& leaf) {
      if (leaf.number && std::fabs(*leaf.number - number) <= 1) return true;
      return !leaf.number && digits_of(leaf.text).find(digits) != std::string::npos;
    });
  }

  // --- operators

  // Whether a cue word is part of the name of a column that the query uses: "average_rating".
  bool named_by_column(std::initializer_list<std::string_view> words) const {
    return std::any_of(leaves_.columns.begin(), leaves_.columns.end(), [&](ColumnId id) {
      const auto& all = domain_.column(id).all_words;
      return std::any_of(all.begin(), all.end(), [&](const std::string& word) {
        return std::find(words.begin(), words.end(), word) != words.end();
      });
    });
  }

  void check_cues() {
    const auto asks = [this](AskedCue cue) { return has_cue(question_, cue, true); };
    const auto has = [this](Aggregate aggregate) { return leaves_.has(aggregate); };
    if (asks(AskedCue::average) && !has(Aggregate::avg) && !has(Aggregate::sum) &&
        !named_by_column({"average", "avg", "mean"}))
      add(GroundingRule::average_asked, "the question asks for an average");
    if (asks(AskedCue::extreme) && !leaves_.ordered && !has(Aggregate::max) && !has(Aggregate::min) && !leaves_.inner &&
        !names_extreme())
      add(GroundingRule::extreme_asked, "the question asks for an extreme");
    if (asks(AskedCue::order) && !leaves_.ordered) add(GroundingRule::order_asked, "the question asks for an order");
    if (leaves_.ordered && !leaves_.unusual &&
        ((asks(AskedCue::descending) && !asks(AskedCue::ascending) && !leaves_.descending) ||
         (asks(AskedCue::ascending) && !asks(AskedCue::descending) && !leaves_.ascending)))
      add(GroundingRule::direction_asked, "the question asks for the other direction");
    if (asks(AskedCue::negation) && !leaves_.excludes && !leaves_.null_test && !leaves_.unusual &&
        !has_bound_literal() && !has_negative_literal())
      add(GroundingRule::negation_asked, "the question excludes something");
    if (asks(AskedCue::both) && !leaves_.intersects && !leaves_.all && !leaves_.inner && !leaves_.any &&
        !leaves_.grouped && leaves_.select.size() < 2 && leaves_.tables.size() < 3)
      add(GroundingRule::both_asked, "the question asks for both of two");
    const bool range = std::any_of(linking_.numbers.begin(), linking_.numbers.end(),
                                   [](const NumberMention& number) { return number.second.has_value(); });
    if (range && !leaves_.between && !leaves_.all) add(GroundingRule::range_asked, "the question gives a range");
  }

  bool names_extreme() const {
    for (std::size_t i = 0; i < question_.words.size(); ++i)
      if (used_[i] && (is_superlative_word(question_, i) || question_.words[i].lower == "maximum" ||
                       question_.words[i].lower == "minimum"))
        return true;
    return named_by_column({"maximum", "minimum", "max", "min", "high", "low", "best", "top", "most", "rank"});
  }

  // A bound can say what a negation says: "not older than 30".
  bool has_bound_literal() const {
    return std::any_of(leaves_.literals.begin(), leaves_.literals.end(), [](const LiteralLeaf& leaf) {
      return leaf.comparison == Comparison::less || leaf.comparison == Comparison::less_equal ||
             leaf.comparison == Comparison::greater || leaf.comparison == Comparison::greater_equal;
    });
  }

  // So can a value: 'No', 0, 'F', "not in use".
  bool has_negative_literal() const {
    return std::any_of(leaves_.literals.begin(), leaves_.literals.end(), [](const LiteralLeaf& leaf) {
      const auto text = to_lower_ascii(leaf.text);
      return (leaf.number && *leaf.number == 0) || text.size() <= 1 || text.starts_with("no") ||
             text.starts_with("un") || text == "false" || text.find("not ") != std::string::npos;
    });
  }

  void check_operators() {
    const auto allows = [this](AskedCue cue) { return has_cue(question_, cue, false); };
    const auto has = [this](Aggregate aggregate) { return leaves_.has(aggregate); };
    if (has(Aggregate::avg) && !allows(AskedCue::average))
      add(GroundingRule::average_given, "the question asks for no average");
    const bool extreme = allows(AskedCue::extreme);
    // "older than all engineers" may be written with max().
    if ((has(Aggregate::max) || has(Aggregate::min)) && !extreme && !leaves_.inner)
      add(GroundingRule::extreme_given, "the question asks for no extreme");
    if (leaves_.ordered && leaves_.limited && !extreme && linking_.numbers.empty())
      add(GroundingRule::limit_given, "the question asks for all");
    if (has(Aggregate::sum) && !allows(AskedCue::sum)) add(GroundingRule::sum_given, "the question asks for no sum");
    const bool counts = std::any_of(leaves_.select.begin(), leaves_.select.end(), [](const SelectLeaf& leaf) {
      return leaf.plain && leaf.aggregate == Aggregate::count;
    });
    if (counts && !allows(AskedCue::count)) add(GroundingRule::count_given, "the question asks for no number");
    if (leaves_.excludes && !allows(AskedCue::negation))
      add(GroundingRule::negation_given, "the question excludes nothing");
    if (leaves_.intersects && !allows(AskedCue::both))
      add(GroundingRule::both_given, "the question names one thing only");
    if (leaves_.between && !allows(AskedCue::range)) add(GroundingRule::range_given, "the question gives no range");
  }

  void check_bounds() {
    if (leaves_.unusual || leaves_.excludes || has_cue(question_, AskedCue::negation, true)) return;
    for (const auto& number : linking_.numbers) {
      const auto bound = number.second ? Bound::none : bound_of(question_, number.span);
      const auto& word = question_.words[number.span.first];
      if (bound == Bound::none || !word.number) continue;
      const double value = *word.number;
      bool compared = false;
      bool right = false;
      for (const auto& leaf : leaves_.literals) {
        if (!leaf.number || leaf.limit) continue;
        compared |= same_number(*leaf.number, value);
        right |= fits(leaf, bound, value);
      }
      if (compared && !right)
        add(GroundingRule::bound_asked,
            "the bound " +
                std::string(question_.text_of({number.span.first > 1 ? number.span.first - 2 : 0, number.span.last})) +
                " is another one");
    }
  }

  static bool fits(const LiteralLeaf& leaf, Bound bound, double value) {
    const bool same = same_number(*leaf.number, value);
    const bool next = same_number(*leaf.number, value + 1);
    const bool last = same_number(*leaf.number, value - 1);
    switch (bound) {
      case Bound::none: return true;
      case Bound::at_least:
        return (same && leaf.comparison == Comparison::greater_equal) ||
               (last && leaf.comparison == Comparison::greater) || leaf.comparison == Comparison::between;
      case Bound::at_most:
        return (same && leaf.comparison == Comparison::less_equal) || (next && leaf.comparison == Comparison::less) ||
               leaf.comparison == Comparison::between;
      case Bound::more:
        return (same && leaf.comparison == Comparison::greater) ||
               (next && leaf.comparison == Comparison::greater_equal) || leaf.comparison == Comparison::between;
      case Bound::less:
        return (same && leaf.comparison == Comparison::less) || (last && leaf.comparison == Comparison::less_equal) ||
               leaf.comparison == Comparison::between;
    }
    return true;
  }

  // --- the answer

  bool is_numeric(const SelectLeaf& leaf) const {
    if (!leaf.plain || leaf.aggregate == Aggregate::count || leaf.aggregate == Aggregate::sum ||
        leaf.aggregate == Aggregate::avg)
      return true;
    return leaf.column == nothing || domain_.column(leaf.column).kind == DataKind::number ||
           domain_.column(leaf.column).kind == DataKind::other;
  }

  void check_answer() {
    if (question_.words.empty() || leaves_.select.empty()) return;
    const auto& first = question_.words.front().lower;
    const auto second = question_.words.size() > 1 ? std::string_view(question_.words[1].lower) : std::string_view();
    const auto numeric = std::count_if(leaves_.select.begin(), leaves_.select.end(),
                                       [this](const SelectLeaf& leaf) { return is_numeric(leaf); });
    const auto ids = std::count_if(leaves_.select.begin(), leaves_.select.end(), [this](const SelectLeaf& leaf) {
      return leaf.column != nothing && leaf.aggregate == Aggregate::none && domain_.column(leaf.column).is_id;
    });
    if (first == "how" && (second == "many" || second == "much") && numeric == 0)
      add(GroundingRule::answer_type, "the question asks how " + std::string(second) + ", and no number is selected");
    if (first == "who" && ids == 0 && numeric == static_cast<std::ptrdiff_t>(leaves_.select.size()))
      add(GroundingRule::answer_type, "the question asks who, and only numbers are selected");
  }

  // --- names

  // Whether the query has something else that these words may name.
  bool is_spoken_for(WordSpan span) const {
    for (auto i = span.first; i < span.last; ++i)
      if (used_[i] && !is_function_word(question_.words[i])) return true;
    return false;
  }

  // Whether the words are the name as it is, or its plural: "made" is no mention of a column "make".
  bool says_name(WordSpan span, const std::vector<std::string>& name) const {
    for (auto i = span.first; i < span.last; ++i) {
      const auto& word = question_.words[i];
      if (is_function_word(word)) continue;
      if (is_operator_word(question_, i)) return false;
      const bool same = std::any_of(name.begin(), name.end(), [&](const std::string& part) {
        return word.lower == part ||
               (word.lower.ends_with("s") && word.lower.starts_with(part.substr(0, part.size() - 1)));
      });
      if (!same) return false;
    }
    return true;
  }

  // Whether the words, or the word before them in the same noun ("email address"), are used, or are a value.
  bool is_settled(WordSpan span) const {
    const bool compound = span.first > 0 && used_[span.first - 1] && !is_function_word(question_.words[span.first - 1]);
    return compound || is_spoken_for(span) || is_value(span);
  }

  // A table that a used one refers to, or that refers to it: its rows may be counted there.
  bool is_adjacent(TableId table) const {
    return std::any_of(domain_.edges().begin(), domain_.edges().end(), [&](const JoinEdge& edge) {
      const auto child = domain_.column(edge.child).table;
      const auto parent = domain_.column(edge.parent).table;
      return (child == table && leaves_.uses_table(parent)) || (parent == table && leaves_.uses_table(child));
    });
  }

  void check_mentions() {
    for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id) {
      const auto& mentions = linking_.columns[static_cast<std::size_t>(id)];
      if (mentions.empty() || !mentions.front().whole() || is_used(id)) continue;
      const auto& column = domain_.column(id);
      const auto span = mentions.front().span;
      // Such columns name the rows themselves: "players" for a column "player".
      if (column.is_id || domain_.table(column.table).display == id || is_generic(column.words)) continue;
      if (is_settled(span) || !says_name(span, column.words)) continue;
      add(GroundingRule::column_unused, quote_for_message(question_.text_of(span), shown) + " names " + name_of(id) +
                                            ", which the query does not use");
      break;
    }
    for (TableId id = 0; id < static_cast<TableId>(domain_.tables().size()); ++id) {
      const auto& mentions = linking_.tables[static_cast<std::size_t>(id)];
      if (mentions.empty() || !mentions.front().whole() || leaves_.uses_table(id) || is_adjacent(id)) continue;
      const auto span = mentions.front().span;
      if (is_generic(domain_.table(id).words) || is_settled(span) || !says_name(span, domain_.table(id).words))
        continue;
      add(GroundingRule::table_unused, quote_for_message(question_.text_of(span), shown) + " names " +
                                           quote_for_message(domain_.table(id).name, shown) +
                                           ", which the query does not use");
      break;
    }
    if (!names_shared_) add(GroundingRule::nothing_shared, "the query uses nothing that the question names");
  }

  bool is_value(WordSpan span) const {
    return std::any_of(linking_.values.begin(), linking_.values.end(),
                       [&](const ValueMention& value) { return !value.is_name && value.span.overlaps(span); });
  }

  const Mention* best_mention(ColumnId id) const {
    const auto& mentions = linking_.columns[static_cast<std::size_t>(id)];
    return mentions.empty() ? nullptr : &mentions.front();
  }

  // A selected column without any word for it, beside others that the question names.
  void check_selected() {
    if (leaves_.select.size() < 2 || leaves_.star) return;
    std::size_t named = 0;
    ColumnId unnamed = nothing;
    for (const auto& leaf : leaves_.select) {
      if (!leaf.plain || leaf.column == nothing) continue;
      const auto* mention = best_mention(leaf.column);
      const auto& column = domain_.column(leaf.column);
      const bool display = domain_.table(column.table).display == leaf.column;
      if (mention != nullptr && mention->coverage >= part_of_name)
        ++named;
      else if (mention == nullptr && !display && !column.is_id && leaf.aggregate == Aggregate::none)
        unnamed = leaf.column;
    }
    if (named > 0 && unnamed != nothing)
      add(GroundingRule::select_unlicensed, "the question does not ask for " + name_of(unnamed));
  }

  void list_roles() {
    for (std::size_t i = 0; i < question_.words.size(); ++i) {
      const auto& word = question_.words[i];
      if (!used_[i] && !is_function_word(word) && !word.quoted) grounding_.without_role.push_back(word.text);
    }
    for (const auto id : leaves_.columns) {
      const auto* mention = best_mention(id);
      if (mention == nullptr || mention->coverage < part_of_name) grounding_.without_licence.push_back(name_of(id));
    }
  }

  const Question& question_;
  const Question licensing_;  // with the evidence
  const Linking& linking_;
  const QueryLeaves& leaves_;
  const Knowledge& knowledge_;
  const Domain& domain_;
  const std::string text_;  // value_words() of licensing_
  mutable WordMatcher matcher_{};
  std::vector<bool> used_{};  // for each word
  bool names_shared_ = false;
  Grounding grounding_{};
};

}  // namespace

std::string_view rule_name(GroundingRule rule) {
  static constexpr std::string_view names[] = {
      "task",           "literal",       "number",        "quotation",         "count",         "value",
      "elsewhere",      "letter_case",   "average_asked", "extreme_asked",     "order_asked",   "direction_asked",
      "negation_asked", "range_asked",   "both_asked",    "bound_asked",       "average_given", "extreme_given",
      "sum_given",      "count_given",   "limit_given",   "negation_given",    "both_given",    "range_given",
      "answer_type",    "column_unused", "table_unused",  "select_unlicensed", "nothing_shared"};
  static_assert(std::size(names) == grounding_rules);
  return names[static_cast<std::size_t>(rule)];
}

Grounding ground(const Question& question, const Linking& linking, const QueryLeaves& leaves,
                 const Knowledge& knowledge, std::string_view evidence) {
  return Grounder(question, linking, leaves, knowledge, evidence).run();
}

Grounding ground(std::string_view question, const ast::Query& query, const Resolution& resolution,
                 const Knowledge& knowledge, std::string_view evidence) {
  const auto read = read_question(question);
  const auto linking = QuestionLinker(knowledge.domain, knowledge.values).link(read);
  return ground(read, linking, leaves_of(query, resolution, knowledge.domain), knowledge, evidence);
}

}  // namespace trustsql::semparse
