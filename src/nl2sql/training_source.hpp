// The questions that nl2sql_train learns from, and the report on what came of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/sources/row_source.hpp"
#include "semparse/training/adapting.hpp"

namespace trustsql::nl2sql {

struct TrainingRow {
  std::string question;
  std::optional<std::string> sql;       // none: the question cannot be answered
  std::optional<std::string> database;  // the path that the row names
  std::optional<std::string> written;   // the column pred: what another system answered
};

// The most rows of a source.
inline constexpr std::size_t max_training_rows = 10'000;

// The rows of `source`: the columns question and sql, and, optionally, database (or db) and pred. Errors:
// invalid_argument (there is no column question or sql, there are no rows, a row has no question), limit_exceeded
// (there are more than max_training_rows); those of RowSource::next().
Result<std::vector<TrainingRow>> read_training_rows(RowSource source);

// What an adaptation came to, as JSON: questions used and not used, and how the questions that were left out would have
// been answered. `bytes`: the size of the model's file.
std::string training_report(const semparse::Adaptation& adaptation, const std::vector<TrainingRow>& rows,
                            const std::string& path, std::size_t bytes);

}  // namespace trustsql::nl2sql
