#include "nl2sql/stages/hallucinate.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "link/hallucination.hpp"

namespace trustsql::nl2sql {

namespace {

struct WorkedExample {
  std::string_view question;
  std::string_view schema;
  std::string_view variables;
  std::string_view relations;
};

constexpr WorkedExample examples[] = {
    {"How many loans did the branch Riverside give to readers under 12 last year?",
     "branch(id, name), reader(id, age), loan(branch id, reader id, date)", "Branch, Reader, Age, Loan, Date",
     "Name of the branch, Age of the reader, Branch of the loan, Date of the loan"},
    {"List the title of every song that is longer than 300 seconds.", "song(title, duration)", "Song, Title, Duration",
     "Title of the song, Duration of the song"},
    {"Which supplier delivered the most screws to the plant in Linz?",
     "supplier(id, name), part(id, name), plant(id, city), delivery(supplier id, part id, plant id, quantity)",
     "Supplier, Part, Plant, City, Quantity",
     "Name of the supplier, Name of the part, City of the plant, Quantity of the delivery"},
    {"Show the average rainfall of each month in Kerala between 2001 and 2010.",
     "rainfall_record(state, year, month, rainfall)", "State, Year, Month, Rainfall",
     "State of the record, Year of the record, Month of the record, Amount of rainfall"},
    {"What are the e-mail addresses of nurses who have worked both in surgery and in radiology?",
     "nurse(id, name, email), department(id, name), assignment(nurse id, department id)", "Nurse, E-mail, Department",
     "E-mail of the nurse, Name of the department, Departments in which the nurse worked"},
    {"Give the highest bid for the vase of lot 77.", "lot(lot number, item), bid(lot number, amount)",
     "Lot, Item, Bid, Amount", "Number of the lot, Item in the lot, Amount of the bid"},
};
static_assert(std::size(examples) == hallucination_examples);

struct Kind {
  HallucinationKind kind;
  std::string_view prompt;
  std::string_view WorkedExample::*answer;
};

constexpr std::array<Kind, 3> kinds = {
    {{HallucinationKind::schema, "hallucinate.schema", &WorkedExample::schema},
     {HallucinationKind::variables, "hallucinate.variables", &WorkedExample::variables},
     {HallucinationKind::relations, "hallucinate.relations", &WorkedExample::relations}}};

std::vector<PromptValues> example_values(const HallucinationOptions& options, std::string_view WorkedExample::*answer) {
  const bool is_given = !options.examples.empty();
  std::vector<std::size_t> order(is_given ? options.examples.size() : std::size(examples));
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options.order_seed) {
    Random random(*options.order_seed);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  }
  order.resize(std::min(order.size(), options.shots));
  std::vector<PromptValues> values;
  for (const auto i : order) {
    PromptValues example;
    example.texts["question"] = is_given ? std::string_view(options.examples[i].question) : examples[i].question;
    example.texts["answer"] = is_given ? std::string_view(options.examples[i].answer) : examples[i].*answer;
    values.push_back(std::move(example));
  }
  return values;
}

}  // namespace

Result<llm::ChatRequest> hallucination_request(const std::string& question, const HallucinationOptions& options,
                                               const PromptLibrary& prompts) {
  const auto& kind =
      *std::find_if(kinds.begin(), kinds.end(), [&](const Kind& known) { return known.kind == options.kind; });
  PromptValues values;
  values.texts["question"] = question;
  values.lists["examples"] = example_values(options, kind.answer);
  llm::ChatRequest request;
  TRUSTSQL_ASSIGN_OR_RETURN(request.messages, prompts.render(kind.prompt, values));
  request.model = options.model.model;
  request.temperature = options.temperature;
  request.seed = options.model.seed;
  request.max_tokens = options.model.max_tokens;
  return request;
}

Result<std::vector<std::string>> hallucinate(const std::string& question, const HallucinationOptions& options,
                                             const PromptLibrary& prompts, llm::ChatModel& chat,
                                             const llm::RequestContext& call, llm::Usage* usage) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto request, hallucination_request(question, options, prompts));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto reply, chat.complete(request, call));
  if (usage != nullptr) *usage += reply.usage;
  return reply.choices.empty() ? std::vector<std::string>() : link::relations_in_reply(reply.choices[0].text);
}

}  // namespace trustsql::nl2sql
