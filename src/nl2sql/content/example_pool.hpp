// ExamplePool: verified questions, each with its SQL or marked as infeasible, from which demonstrations are drawn.
//
// A pool is read once, in the host's thread, from a table or query (trustsql_examples by default); after that any
// number of threads may draw from it. Which examples are drawn, how many and in which order follows the papers
// (TrustSQL's Appendix D, DAIL-SQL): demonstrations.hpp.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"
#include "db/sources/row_source.hpp"
#include "link/embedder.hpp"
#include "llm/chat.hpp"
#include "nl2sql/content/content_cache.hpp"
#include "nl2sql/prompts/schema_text.hpp"
#include "semparse/examples/example_model.hpp"

namespace trustsql::nl2sql {

struct Example {
  std::string question;
  std::optional<std::string> sql;  // nullopt: the question cannot be answered
  std::string database;            // name of another database that it is about; empty: the one in question
  std::string schema;              // DDL of that other database
  std::string type;                // if it cannot be answered: why; may be empty

  bool feasible() const { return sql.has_value(); }
  friend bool operator==(const Example&, const Example&) = default;
};

// The question with a mark in place of each value and each name of the schema, as DAIL-SQL compares questions. Masked
// are numbers, quoted texts and, if `sql` (its query) is given, the words of its literals and names.
std::string mask_question(std::string_view question, std::optional<std::string_view> sql);

// The skeleton of `sql`, as DAIL-SQL compares queries: its keywords, functions and operators, with "_" for each name or
// value and for each run of them.
std::vector<std::string> query_words(std::string_view sql);

// A bag of such words: their hashes, sorted.
using WordBag = std::vector<std::uint64_t>;
WordBag word_bag(const std::vector<std::string>& words);

// The Jaccard index of two bags: 1 if they are equal, 0 if they have no word in common. Linear in their sizes.
double word_similarity(const WordBag& a, const WordBag& b);

class ExamplePool {
 public:
  static constexpr std::size_t max_examples = 1'000'000;
  static constexpr std::size_t max_bytes = std::size_t{256} << 20;

  // Makes a database from DDL (HostDatabase::open_schema(), open_ddl()); called from any thread, but by one at a time.
  using OpenSchema = std::function<Result<std::shared_ptr<SandboxSource>>(std::string_view ddl)>;

  explicit ExamplePool(std::vector<Example> examples, OpenSchema open_schema = {});
  ExamplePool(const ExamplePool&) = delete;
  ExamplePool& operator=(const ExamplePool&) = delete;

  // The rows of `source`. Columns: question, sql (or gold); db (or database), schema and type are optional. Rows
  // without a question are skipped. Errors: those of Source, limit_exceeded (the limits above).
  static Result<std::vector<Example>> read(RowSource& source);

  std::span<const Example> examples() const { return examples_; }

  // Whether example `index` is about the database in question.
  bool is_own(std::size_t index) const { return examples_[index].database.empty(); }
  // The other databases, by name, with their examples (indexes).
  const std::map<std::string, std::vector<std::size_t>>& others() const { return others_; }

  // The vector of each example's question, or of its masked question; computed once for each embedder, and again if the
  // length of its vectors has changed since. Thread-safe.
  // Errors: those of `embedder`.
  Result<std::shared_ptr<const std::vector<link::Vector>>> vectors(bool masked, link::Embedder& embedder,
                                                                   const llm::RequestContext& call) const;

  // The words of each example's query. Thread-safe.
  const std::vector<WordBag>& words() const;

  // What the embedded parser learns from the examples of the database in question; learned when it is first asked for,
  // which takes a moment for every hundred examples. nullptr if there are none. Thread-safe. Error: interrupted.
  Result<std::shared_ptr<const semparse::ExampleModel>> learned(const std::function<bool()>& stop) const;

  // The schema of another database in `style`; its DDL as it is if that cannot be read, empty if it has none.
  // `with_values`: whether the result may contain values (schema_text() shows those that the DDL inserts); if not, DDL
  // that cannot be read is left out. Thread-safe. Error: interrupted.
  Result<std::string> schema(const std::string& database, SchemaStyle style, bool with_values,
                             const llm::RequestContext& call) const;

 private:
  std::vector<Example> examples_;
  OpenSchema open_schema_;
  std::map<std::string, std::vector<std::size_t>> others_;

  mutable std::mutex mutex_;
  mutable std::map<std::pair<bool, std::string>, std::shared_ptr<const std::vector<link::Vector>>> vectors_;
  mutable std::optional<std::vector<WordBag>> words_;
  mutable std::mutex learned_mutex_;
  mutable std::shared_ptr<const semparse::ExampleModel> learned_;
  struct SchemaKey {
    std::string database;
    SchemaStyle style;
    bool with_values;
    friend auto operator<=>(const SchemaKey&, const SchemaKey&) = default;
  };
  mutable std::map<SchemaKey, std::string> schemas_;
  mutable ContentCache content_;
};

}  // namespace trustsql::nl2sql
