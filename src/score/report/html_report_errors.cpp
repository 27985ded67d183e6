// The section on wrong answers: question, gold query, prediction and why, to open and close.

#include "base/text.hpp"
#include "score/report/html_plot_parts.hpp"
#include "score/report/html_report_parts.hpp"
#include "score/report/html_text.hpp"

namespace trustsql::page {

namespace {

constexpr std::size_t longest_query = 4000;  // characters that are shown
constexpr std::size_t longest_question = 1000;
constexpr std::size_t longest_summary = 140;
constexpr std::size_t most_rows = 6;  // of a result
static_assert(most_rows <= OwnResults::most_rows);
constexpr std::size_t longest_cell = 80;

std::string code(std::string_view text) {
  return "<pre><code>" + html_lines(cut_text(text, longest_query)) + "</code></pre>";
}

std::string entry(std::string_view term, const std::string& html) {
  return "<dt>" + std::string(term) + "</dt><dd>" + html + "</dd>\n";
}

std::string meaning_of(std::string_view kind) {
  if (kind == "values") return "only literals differ";
  if (kind == "conditions") return "WHERE or HAVING differs";
  if (kind == "table/column") return "other tables, joins or columns";
  if (kind == "others") return "another difference, or several";
  return {};
}

std::string cell_text(ValueView value) {
  if (value.is_null()) return "NULL";
  const std::string text = format_value(value);
  return cut_text(value.type == ValueType::text ? quote_string(text) : text, longest_cell);
}

// The first of a result's `rows` rows, a line each.
std::string result_text(const ResultSet& result, std::size_t rows) {
  std::string text = join(result.column_names(), " | ");
  for (std::size_t row = 0; row < std::min(result.row_count(), most_rows); ++row) {
    std::vector<std::string> cells;
    for (std::size_t column = 0; column < result.column_count(); ++column)
      cells.push_back(cell_text(result.at(row, column)));
    text += "\n" + join(cells, " | ");
  }
  if (rows > most_rows) text += "\n... " + std::to_string(rows - most_rows) + " more rows";
  if (rows == 0) text += "\n(no rows)";
  return text;
}

std::string own_entries(const ExplainedError& error) {
  if (!error.own) return {};
  return entry("On its own database, gold gives", code(result_text(error.own->gold, error.own->gold_rows))) +
         entry("On its own database, the prediction gives",
               code(result_text(error.own->prediction, error.own->prediction_rows)));
}

std::string counterexample_entries(const ExplainedError& error) {
  switch (error.search) {
    case ExplainedError::Search::none: return {};
    case ExplainedError::Search::same:
      return entry("Compared", "The two queries are proved to mean the same: the verdict comes from elsewhere.");
    case ExplainedError::Search::unknown: return entry("Compared", "No counterexample was found.") + own_entries(error);
    case ExplainedError::Search::no_time:
      return entry("Compared", "Not compared: the time for counterexamples (counterexample_ms) was over.");
    case ExplainedError::Search::found: break;
  }
  const auto& counterexample = error.counterexample;
  if (!counterexample) return {};
  const std::string grade = counterexample->deviations.text();
  const std::string difference = error.difference.empty()
                                     ? std::string()
                                     : entry("Difference", html_text(cut_text(error.difference, longest_query)));
  return difference +
         entry("Counterexample", "A database on which the results differ" +
                                     (grade == "outright" ? std::string() : " (" + html_text(grade) + ")") + ":" +
                                     code(counterexample->script)) +
         entry("Gold gives", code(result_text(counterexample->a, counterexample->a.row_count()))) +
         entry("Prediction gives", code(result_text(counterexample->b, counterexample->b.row_count())));
}

std::string why(const ExplainedError& error) {
  if (error.answer.reliability_case == ReliabilityCase::IV)
    return "The question is infeasible: the system should have abstained.";
  std::string text;
  if (error.answer.failure) text += "The prediction failed: " + html_text(cut_text(error.answer.failure->message, 400));
  if (error.kind.empty()) return text.empty() ? "The result is not that of the gold query." : text;
  if (!text.empty()) text += ". ";
  const std::string meaning = meaning_of(error.kind);
  return text + "Kind of error: " + html_text(cut_text(error.kind, longest_name)) +
         (meaning.empty() ? std::string() : " (" + meaning + ")") + ".";
}

std::string wrong_answer(const ExplainedError& error) {
  const auto& texts = error.answer.texts;
  std::string name;
  if (texts.id) name += html_text(cut_text(*texts.id, longest_name));
  if (texts.question) name += (name.empty() ? "" : ": ") + html_text(cut_text(*texts.question, longest_summary));
  if (name.empty()) name = "(unnamed question)";
  std::string html =
      "<details><summary><b>" + std::string(case_name(error.answer.reliability_case)) + "</b> " + name +
      (error.kind.empty() ? std::string()
                          : " <span class=\"kind\">" + html_text(cut_text(error.kind, longest_name)) + "</span>") +
      "</summary>\n<dl>\n";
  if (texts.question) html += entry("Question", html_text(cut_text(*texts.question, longest_question)));
  if (texts.gold) html += entry("Gold", code(*texts.gold));
  if (texts.prediction) html += entry("Prediction", code(*texts.prediction));
  return html + entry("Why", why(error)) + counterexample_entries(error) + "</dl></details>\n";
}

std::string system_errors(const HtmlReport& report, const ReportRow& total,
                          const std::vector<const ExplainedError*>& errors) {
  const auto wrong = total.counts.harmful();
  std::string summary = print_count(wrong) + (wrong == 1 ? " wrong answer" : " wrong answers");
  if (static_cast<std::size_t>(wrong) > errors.size())
    summary += ", the first " + print_count(static_cast<std::int64_t>(errors.size())) + " of them here";
  std::string html = "<details class=\"system\"><summary>" + plot::swatch(*total.system) + "<b>" +
                     html_text(cut_text(name_of(report, total), longest_name)) + "</b> " + summary + "</summary>\n";
  for (const auto* error : errors) html += wrong_answer(*error);
  return html + "</details>\n";
}

}  // namespace

std::string errors_section(const HtmlReport& report) {
  if (report.errors.empty()) return {};
  std::vector<std::vector<const ExplainedError*>> of_system(report.systems.size());
  for (const auto& error : report.errors) of_system[error.answer.system].push_back(&error);
  std::string html =
      heading("Wrong answers") +
      paragraph(
          "III: wrong SQL for a feasible question. IV: SQL for an infeasible one. A counterexample is a small "
          "database, "
          "found by search, on which gold query and prediction give different results; its script runs in any SQLite "
          "shell. Texts longer than " +
              print_count(static_cast<std::int64_t>(longest_query)) + " characters are cut.",
          "note");
  std::size_t not_listed = 0;
  for (const auto& total : report.totals) {
    if (!total.system || total.counts.harmful() == 0) continue;
    if (of_system[*total.system].empty()) {
      ++not_listed;
    } else {
      html += system_errors(report, total, of_system[*total.system]);
    }
  }
  if (not_listed > 0)
    html += paragraph(
        "The wrong answers of " + print_count(static_cast<std::int64_t>(not_listed)) + " more systems are not listed.",
        "note");
  return html;
}

}  // namespace trustsql::page
