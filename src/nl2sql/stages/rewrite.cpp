#include "nl2sql/stages/rewrite.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "nl2sql/content/content_rows.hpp"
#include "nl2sql/prompts/prompt_parts.hpp"
#include "nl2sql/prompts/prompt_text.hpp"
#include "sql/parser.hpp"
#include "sql/reply_text.hpp"

namespace trustsql::nl2sql {

namespace {

// The tables with their first rows, or without rows if those may not be sent.
Result<std::vector<PromptValues>> tables_with_rows(const SchemaSubset& subset, std::size_t count,
                                                   StageContext& context) {
  std::vector<SelectedRows> rows;
  if (context.send_rows && count > 0) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto reader,
                              ContentReader::open(context.source, context.catalog, context.content, context.call.stop));
    TRUSTSQL_ASSIGN_OR_RETURN(rows, first_rows(reader, subset, count));
  }
  std::vector<PromptValues> tables;
  std::size_t next = 0;
  for (const auto& [index, columns] : subset.columns) {
    const auto& table = context.catalog.tables()[index];
    std::vector<std::string> names;
    for (const auto column : columns) names.push_back(name_in_sql(table.columns[column].name));
    tables.push_back({.texts = {{"name", in_comment(table_in_sql(context.catalog, table))},
                                {"columns", in_comment(join(names, ", "))},
                                {"rows", rows.empty() ? std::string() : in_comment(row_tuples(rows[next], ", "))}},
                      .lists = {}});
    ++next;
  }
  return tables;
}

bool is_opening(char c) { return is_space(c) || c == '"' || c == '\'' || c == '`' || c == '*' || c == '/'; }

// The line without a label such as "Result:" or "Rewritten question:" at its start.
std::string_view without_label(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || colon > 40) return line;
  const auto label = line.substr(0, colon);
  for (const std::string_view word : {"result", "results", "question", "output", "rewritten"})
    if (find_word(label, word) != std::string_view::npos) return line.substr(colon + 1);
  return line;
}

}  // namespace

std::string question_in_reply(std::string_view reply) {
  std::string_view text = reply;
  if (const auto block = find_fenced_block(text)) text = block->content;
  const auto strip = [](std::string_view line) {
    while (!line.empty() && is_opening(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_opening(line.back())) line.remove_suffix(1);
    return line;
  };
  // The text after the first label, or the first line if there is no label.
  std::string_view question;
  for (const auto line : split(text, '\n')) {
    const auto bare = strip(line);
    const auto unlabelled = strip(without_label(bare));
    if (unlabelled.size() < bare.size() && !unlabelled.empty()) {
      question = unlabelled;
      break;
    }
    if (question.empty() && unlabelled.size() == bare.size()) question = bare;
  }
  // A stripped quote whose partner is inside the question belongs to it: ... in "italy"
  const auto quotes = std::count(question.begin(), question.end(), '"');
  if (quotes % 2 == 1 && question.data() + question.size() < text.data() + text.size() &&
      *(question.data() + question.size()) == '"') {
    question = {question.data(), question.size() + 1};
  } else if (quotes % 2 == 1 && question.data() > text.data() && *(question.data() - 1) == '"') {
    question = {question.data() - 1, question.size() + 1};
  }
  return std::string(question);
}

Status RewriteStage::run(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, name());
  const auto subset = options_.linked_only ? attempt.schema : SchemaSubset::all(context.catalog);
  PromptValues values;
  values.texts = {{"question", attempt.question}, {"evidence", attempt.evidence}};
  if (options_.rows > 0 && !context.send_rows) attempt.warn(without_rows("RW saw no rows"));
  TRUSTSQL_ASSIGN_OR_RETURN(values.lists["tables"], tables_with_rows(subset, options_.rows, context));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto replies, ask_text(step, "rewrite", values, options_.model, 1, context));

  const auto& reply = replies.front();
  const auto question = question_in_reply(reply);
  if (question.empty()) {
    step.finish(reply, "kept: the reply contains no question");
  } else if (question == trim(attempt.question)) {
    step.finish(reply, "kept: it is clear as it stands");
  } else if (parse_query(question).ok()) {
    step.finish(reply, "kept: the reply is a query, not a question");
  } else if (question.size() > 4 * attempt.question.size() + 1000) {
    step.finish(reply, "kept: the reply is far longer than the question");
  } else {
    attempt.rewritten = question;
    step.finish(reply, "rewritten: " + question);
  }
  return ok_status();
}

}  // namespace trustsql::nl2sql
