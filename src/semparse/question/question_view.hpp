// QuestionView: one question about one domain, linked, with the features that its decisions share.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "semparse/database/domain.hpp"
#include "semparse/learning/linear_model.hpp"
#include "semparse/question/linking.hpp"
#include "semparse/words/words.hpp"

namespace trustsql::semparse {

// The words that features may name, as hashes: those that training met in many databases. All others are one word, so
// that nothing is learned about the content of a single database.
class Vocabulary {
 public:
  void insert(std::string_view word, float idle = 0.5F) { insert(hash_of(word), idle); }
  void insert(std::uint64_t hash, float idle) { words_[hash] = idle; }
  bool contains(std::string_view word) const { return words_.count(hash_of(word)) != 0; }

  // How often the word was idle in the questions of training: nothing in the right query stands for it. "weight" is
  // seldom idle, "please" nearly always. 0 for a word that is not in the vocabulary.
  float idle(std::string_view word) const {
    const auto entry = words_.find(hash_of(word));
    return entry == words_.end() ? 0 : entry->second;
  }
  // By hash.
  const std::map<std::uint64_t, float>& words() const { return words_; }

 private:
  static std::uint64_t hash_of(std::string_view word) { return hash_bytes(word, 7); }

  std::map<std::uint64_t, float> words_;
};

// A value or number of the question that a condition may use.
struct Literal {
  WordSpan span{};
  const ValueMention* value = nullptr;  // one of the two
  const NumberMention* number = nullptr;

  // The role that it speaks of (roles.hpp), `nothing` where there are none.
  TableId owner() const { return value != nullptr ? value->owner : number != nullptr ? number->owner : nothing; }
};

// What a word is to the parser: a word of the vocabulary, or what it was linked to.
enum class Symbol : std::uint8_t { word, unknown, value, number, column, table, part };

class QuestionView {
 public:
  // All must outlive this object.
  QuestionView(const Domain& domain, const Question& question, const Linking& linking, const Vocabulary& vocabulary);

  const Domain& domain() const { return domain_; }
  const Question& question() const { return question_; }
  const Linking& linking() const { return linking_; }
  const std::vector<Literal>& literals() const { return literals_; }

  const Vocabulary& vocabulary() const { return vocabulary_; }
  Symbol kind(std::size_t position) const { return kinds_[position]; }
  // Whether the word is part of a name of a table or column, or of a value.
  bool is_name(std::size_t position) const {
    const auto symbol = kind(position);
    return symbol == Symbol::column || symbol == Symbol::part || symbol == Symbol::table || symbol == Symbol::value;
  }
  // The key of the word at `position`; a mark for positions before the first and after the last word.
  std::uint64_t symbol(std::ptrdiff_t position) const;
  // The same with articles skipped: the `distance`-th word before `position`, or after it, if negative before.
  std::uint64_t neighbour(std::size_t position, int distance) const;

  // Keys of what the question says as a whole, for choosing a skeleton.
  const std::vector<std::uint64_t>& question_features() const { return question_features_; }
  // Keys of how the question speaks of a column or table.
  const std::vector<std::uint64_t>& column_features(ColumnId column) const;
  const std::vector<std::uint64_t>& table_features(TableId table) const;
  // Keys of the words around a literal, and of its kind.
  const std::vector<std::uint64_t>& literal_features(std::size_t literal) const { return literal_features_[literal]; }

  // The best mention; nullptr if there is none.
  const Mention* column_mention(ColumnId column) const;
  const Mention* table_mention(TableId table) const;
  // How many joins lie between two tables at least; 9 if they cannot be joined.
  int distance(TableId a, TableId b) const { return distances_from(b)[static_cast<std::size_t>(a)]; }
  // The same for all tables, from one.
  const std::vector<int>& distances_from(TableId table) const;

 private:
  void choose_symbols();
  void find_literals();
  void make_question_features();
  std::vector<std::uint64_t> make_column_features(ColumnId column) const;
  std::vector<std::uint64_t> make_table_features(TableId table) const;
  void make_literal_features();
  void add_context(std::vector<std::uint64_t>& keys, WordSpan span, std::uint64_t about) const;
  int owner_bucket(TableId table) const;

  // Names that the same words mean equally well: what features count of them.
  struct NameGroup {
    WordSpan span{};
    float coverage = 0;
    bool whole = false;
    int owner = 0;  // of columns: how well their tables are named
    int count = 0;
  };
  static void add_to_group(const Mention& mention, int owner, std::vector<NameGroup>& groups);
  void group_names();

  const Domain& domain_;
  const Question& question_;
  const Linking& linking_;
  const Vocabulary& vocabulary_;
  std::vector<Literal> literals_{};
  std::vector<std::uint64_t> raw_{};      // for each word: its key in the vocabulary
  std::vector<std::uint64_t> symbols_{};  // for each word: the key of its symbol
  std::vector<Symbol> kinds_{};
  std::vector<std::uint64_t> question_features_{};
  mutable std::vector<std::vector<std::uint64_t>> column_features_{};
  mutable std::vector<std::vector<std::uint64_t>> table_features_{};
  std::vector<std::vector<std::uint64_t>> literal_features_{};
  mutable std::vector<std::vector<int>> distances_{};
  std::vector<NameGroup> column_groups_{};
  std::vector<NameGroup> table_groups_{};
  std::vector<bool> holds_value_{};  // for each column: a value of the question
};

}  // namespace trustsql::semparse
