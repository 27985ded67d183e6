#include "gmn/weights_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/json_brackets.hpp"
#include "base/json_release.hpp"
#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "gmn/safetensors.hpp"

namespace trustsql::gmn {

namespace {

constexpr std::string_view weights_format = "trustsql-gmn";
constexpr std::string_view checkpoint_format = "trustsql-gmn-checkpoint";
constexpr std::array representations = {Representation::rel_node, Representation::ast};
constexpr std::array all_positions = {Positions::none, Positions::separate, Positions::merged};

Error unusable(std::string_view what) { return invalid_argument("not a usable file of weights: " + std::string(what)); }

Status check_format(const TensorFile& file, std::string_view format) {
  const auto found = file.metadata.find("format");
  if (found == file.metadata.end() || found->second != format)
    return unusable("its format is not " + std::string(format));
  const auto version = file.metadata.find("version");
  if (version == file.metadata.end() || version->second != std::to_string(weights_version))
    return unusable("it is of version " +
                    (version == file.metadata.end() ? "none" : quote_for_message(version->second)) +
                    ", and this is version " + std::to_string(weights_version));
  return ok_status();
}

// The metadata `key` as JSON.
Result<nlohmann::json> json_of(const TensorFile& file, const std::string& key) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end()) return unusable("it has no " + key);
  constexpr int nesting = 2;
  if (json_nesting(found->second) > nesting) return unusable("its " + key + " are nested too deeply");
  auto json = nlohmann::json::parse(found->second, nullptr, false);
  if (json.is_discarded()) return unusable("its " + key + " are no JSON");
  return json;
}

template <class Choices>
auto choice(const nlohmann::json& json, const char* key, const Choices& choices)
    -> std::optional<typename Choices::value_type> {
  if (!json.contains(key) || !json[key].is_string()) return std::nullopt;
  const auto* found =
      std::ranges::find_if(choices, [&](const auto value) { return name(value) == json[key].get<std::string>(); });
  if (found == choices.end()) return std::nullopt;
  return *found;
}

Result<Hyperparameters> hyperparameters_of(const TensorFile& file) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto json, json_of(file, "hyperparameters"));
  const JsonRelease release(json);
  if (!json.is_object()) return unusable("its hyperparameters are no JSON object");
  Hyperparameters result;
  for (const auto& spec : hyperparameter_specs) {
    const auto key = std::string(spec.name);
    if (!json.contains(key) || !json[key].is_number_integer()) return unusable("it has no hyperparameter " + key);
    const auto value = json[key].get<std::int64_t>();
    if (value < spec.least || value > spec.most)
      return unusable("its hyperparameter " + key + " is " + std::to_string(value) + ", which is not between " +
                      std::to_string(spec.least) + " and " + std::to_string(spec.most));
    result.*spec.member = static_cast<int>(value);
  }
  const auto representation = choice(json, "representation", representations);
  const auto positions = choice(json, "positions", all_positions);
  if (!representation || !positions || !json.contains("flows") || !json["flows"].is_boolean())
    return unusable("its hyperparameters do not say what graphs contain");
  result.representation = *representation;
  result.positions = *positions;
  result.flows = json["flows"].get<bool>();
  return result;
}

Result<std::vector<std::string>> vocabulary_of(const TensorFile& file) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto json, json_of(file, "vocabulary"));
  const JsonRelease release(json);
  std::vector<std::string> values;
  if (!json.is_array()) return unusable("its vocabulary is no JSON array");
  for (const auto& value : json) {
    if (!value.is_string()) return unusable("its vocabulary has a value that is no text");
    values.push_back(value.get<std::string>());
  }
  return values;
}

const Tensor* find(const TensorFile& file, std::string_view name) {
  const auto found = std::ranges::find(file.tensors, name, &Tensor::name);
  return found == file.tensors.end() ? nullptr : &*found;
}

std::string state_json(const TrainingState& state, std::uint64_t fingerprint) {
  JsonWriter json;
  json.begin_object().key("fingerprint").value(fingerprint).key("pretraining").value(state.pretraining);
  json.key("epoch").value(state.epoch).key("batch").value(state.batch).key("loss").value(state.loss);
  json.key("epochs_since_best").value(state.epochs_since_best).key("best_auc").value(state.best_auc);
  json.key("adam_steps").value(state.adam_steps);
  return std::move(json.end_object()).text();
}

// The vectors of a state with their names.
template <class State>
auto vectors_of(State& state) {
  return std::array{std::pair{"values", &state.values}, std::pair{"best_values", &state.best_values},
                    std::pair{"first_moments", &state.first_moments},
                    std::pair{"second_moments", &state.second_moments}};
}

}  // namespace

std::string_view name(Representation representation) {
  return representation == Representation::ast ? "ast" : "relnode";
}

std::string_view name(Positions positions) {
  switch (positions) {
    case Positions::none: return "none";
    case Positions::separate: return "separate";
    case Positions::merged: return "merged";
  }
  return {};
}

std::string hyperparameters_json(const Hyperparameters& hyperparameters) {
  JsonWriter json;
  json.begin_object();
  for (const auto& spec : hyperparameter_specs) json.key(spec.name).value(hyperparameters.*spec.member);
  json.key("representation").value(name(hyperparameters.representation)).key("flows").value(hyperparameters.flows);
  json.key("positions").value(name(hyperparameters.positions));
  return std::move(json.end_object()).text();
}

std::string write_weights(const TrainedNetwork& trained) {
  const auto& parameters = trained.network.parameters();
  std::vector<TensorView> tensors;
  for (const auto& entry : parameters.entries())
    tensors.push_back({entry.name, {entry.rows, entry.cols}, parameters.values().subspan(entry.offset, entry.size())});
  JsonWriter vocabulary;
  vocabulary.value(trained.network.vocabulary().texts());
  return write_safetensors({{"format", std::string(weights_format)},
                            {"version", std::to_string(weights_version)},
                            {"hyperparameters", hyperparameters_json(trained.network.hyperparameters())},
                            {"vocabulary", std::move(vocabulary).text()},
                            {"training", trained.training}},
                           tensors);
}

Result<TrainedNetwork> read_weights(std::string_view bytes) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto file, read_safetensors(bytes));
  TRUSTSQL_RETURN_IF_ERROR(check_format(file, weights_format));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto hyperparameters, hyperparameters_of(file));
  TRUSTSQL_ASSIGN_OR_RETURN(auto vocabulary, vocabulary_of(file));
  const auto training = file.metadata.find("training");
  TrainedNetwork trained{Network(hyperparameters, std::move(vocabulary)),
                         training == file.metadata.end() ? "{}" : training->second};
  auto& parameters = trained.network.parameters();
  if (file.tensors.size() != parameters.entries().size()) return unusable("it has too many or too few matrices");
  for (const auto& entry : parameters.entries()) {
    const auto* tensor = find(file, entry.name);
    if (tensor == nullptr) return unusable("it lacks the matrix " + entry.name);
    if (tensor->shape != std::vector<std::int64_t>{entry.rows, entry.cols})
      return unusable("the matrix " + entry.name + " has another shape than the hyperparameters say");
    std::copy(tensor->numbers.begin(), tensor->numbers.end(),
              parameters.values().begin() + static_cast<std::ptrdiff_t>(entry.offset));
  }
  return trained;
}

std::string write_checkpoint(const TrainingState& state, std::uint64_t fingerprint) {
  std::vector<TensorView> tensors;
  for (const auto& [vector_name, numbers] : vectors_of(state))
    tensors.push_back({vector_name, {static_cast<std::int64_t>(numbers->size())}, *numbers});
  return write_safetensors({{"format", std::string(checkpoint_format)},
                            {"version", std::to_string(weights_version)},
                            {"state", state_json(state, fingerprint)}},
                           tensors);
}

Result<TrainingState> read_checkpoint(std::string_view bytes, std::uint64_t fingerprint, std::size_t parameters) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto file, read_safetensors(bytes));
  TRUSTSQL_RETURN_IF_ERROR(check_format(file, checkpoint_format));
  TRUSTSQL_ASSIGN_OR_RETURN(auto json, json_of(file, "state"));
  const JsonRelease release(json);
  TrainingState state;
  for (auto& [vector_name, numbers] : vectors_of(state)) {
    const auto* tensor = find(file, vector_name);
    if (tensor == nullptr) return unusable("it lacks the matrix " + std::string(vector_name));
    *numbers = tensor->numbers;
  }
  const auto number = [&](const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_number() ? std::optional(json[key]) : std::nullopt;
  };
  const auto mark = number("fingerprint");
  const auto fits = [&](const std::vector<float>& numbers) { return numbers.size() == parameters; };
  if (!mark || !mark->is_number_unsigned() || mark->get<std::uint64_t>() != fingerprint || !fits(state.values) ||
      !fits(state.best_values) || !fits(state.first_moments) || !fits(state.second_moments))
    return unusable("it is of another training: other pairs, options or sizes");
  for (const char* key : {"epoch", "batch", "loss", "epochs_since_best", "best_auc", "adam_steps"}) {
    if (!number(key)) return unusable("its state has no number " + std::string(key));
  }
  state.pretraining = json.value("pretraining", false);
  state.epoch = json["epoch"].get<int>();
  state.batch = json["batch"].get<std::size_t>();
  state.loss = json["loss"].get<double>();
  state.epochs_since_best = json["epochs_since_best"].get<int>();
  state.best_auc = json["best_auc"].get<double>();
  state.adam_steps = json["adam_steps"].get<std::int64_t>();
  if (state.epoch < 0 || state.adam_steps < 0) return unusable("its state has a negative number");
  return state;
}

}  // namespace trustsql::gmn
