#include "gmn/weights_file.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <optional>

#include "base/json_tree.hpp"
#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "base/value.hpp"
#include "gmn/safetensors.hpp"

namespace trustsql::gmn {

namespace {

constexpr std::string_view weights_format = "trustsql-gmn";
constexpr std::string_view checkpoint_format = "trustsql-gmn-checkpoint";
constexpr std::array representations = {Representation::rel_node, Representation::ast};
constexpr std::array all_positions = {Positions::none, Positions::separate, Positions::merged};

Error unusable(std::string_view what) { return invalid_argument("not a usable file of weights: " + std::string(what)); }

// The header follows its length, eight bytes, and begins with the metadata, whose keys are in alphabetical order.
constexpr std::size_t header_at = 8;

constexpr std::string_view hash_start = R"(,"hash":")";
constexpr std::size_t hash_digits = 16;

// Where the digits of the hash are; nullopt if the file begins otherwise.
std::optional<std::size_t> place_of_hash(std::string_view bytes) {
  const auto start = bytes.substr(0, own_start).find(hash_start);
  if (start == std::string_view::npos || bytes.size() - start < hash_start.size() + hash_digits) return std::nullopt;
  return start + hash_start.size();
}

std::string hash_around(std::string_view bytes, std::size_t place) {
  const auto hash = hash_bytes(bytes.substr(place + hash_digits), hash_bytes(bytes.substr(0, place), 0));
  std::array<char, hash_digits + 1> digits;
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

Status check_hash(std::string_view bytes) {
  const auto place = place_of_hash(bytes);
  if (place && bytes.substr(*place, hash_digits) == hash_around(bytes, *place)) return ok_status();
  return unusable("it is damaged: its hash does not match");
}

Status check_format(std::string_view bytes, const TensorFile& file, std::string_view format) {
  const auto found = file.metadata.find("format");
  if (found == file.metadata.end() || found->second != format)
    return unusable("its format is not " + std::string(format));
  const auto version = file.metadata.find("version");
  if (version == file.metadata.end() || version->second != std::to_string(weights_version))
    return unusable("it is of version " +
                    (version == file.metadata.end() ? "none" : quote_for_message(version->second)) +
                    ", and this is version " + std::to_string(weights_version));
  return check_hash(bytes);
}

// The metadata `key` as JSON.
Result<JsonTree> json_of(const TensorFile& file, const std::string& key) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end()) return unusable("it has no " + key);
  constexpr int nesting = 2;
  auto json = parse_json(found->second, nesting);
  if (!json) return unusable("its " + key + " are no JSON, or are nested too deeply");
  return *std::move(json);
}

template <class Choices>
auto choice(const JsonTree& json, const char* key, const Choices& choices)
    -> std::optional<typename Choices::value_type> {
  const auto* text = json.find(key);
  if (text == nullptr || !text->is(JsonTree::Kind::text)) return std::nullopt;
  const auto* found = std::ranges::find_if(choices, [&](const auto value) { return name(value) == text->text; });
  if (found == choices.end()) return std::nullopt;
  return *found;
}

Result<Hyperparameters> hyperparameters_of(const TensorFile& file) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto json, json_of(file, "hyperparameters"));
  if (!json.is(JsonTree::Kind::object)) return unusable("its hyperparameters are no JSON object");
  Hyperparameters result;
  for (const auto& spec : hyperparameter_specs) {
    const auto key = std::string(spec.name);
    const auto* value = json.find(key);
    if (value == nullptr || !value->is(JsonTree::Kind::natural)) return unusable("it has no hyperparameter " + key);
    if (value->natural < static_cast<std::uint64_t>(spec.least) ||
        value->natural > static_cast<std::uint64_t>(spec.most))
      return unusable("its hyperparameter " + key + " is " + std::to_string(value->natural) +
                      ", which is not between " + std::to_string(spec.least) + " and " + std::to_string(spec.most));
    result.*spec.member = static_cast<int>(value->natural);
  }
  const auto representation = choice(json, "representation", representations);
  const auto positions = choice(json, "positions", all_positions);
  const auto* flows = json.find("flows");
  if (!representation || !positions || flows == nullptr || !flows->is(JsonTree::Kind::boolean))
    return unusable("its hyperparameters do not say what graphs contain");
  result.representation = *representation;
  result.positions = *positions;
  result.flows = flows->truth;
  return result;
}

Result<std::vector<std::string>> vocabulary_of(const TensorFile& file) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto json, json_of(file, "vocabulary"));
  std::vector<std::string> values;
  if (!json.is(JsonTree::Kind::array)) return unusable("its vocabulary is no JSON array");
  for (auto& [unnamed, value] : json.members) {
    if (!value.is(JsonTree::Kind::text)) return unusable("its vocabulary has a value that is no text");
    values.push_back(std::move(value.text));
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

bool is_own_file(std::string_view start) {
  constexpr std::string_view header = R"({"__metadata__":{"format":"trustsql-gmn)";
  return start.size() > header_at && start.substr(header_at).starts_with(header);
}

std::string sealed(std::string bytes) {
  if (const auto place = place_of_hash(bytes)) bytes.replace(*place, hash_digits, hash_around(bytes, *place));
  return bytes;
}

std::string write_weights(const TrainedNetwork& trained) {
  const auto& parameters = trained.network.parameters();
  std::vector<TensorView> tensors;
  for (const auto& entry : parameters.entries())
    tensors.push_back({entry.name, {entry.rows, entry.cols}, parameters.values().subspan(entry.offset, entry.size())});
  JsonWriter vocabulary;
  vocabulary.value(trained.network.vocabulary().texts());
  return sealed(write_safetensors({{"format", std::string(weights_format)},
                                   {"hash", std::string(hash_digits, '0')},
                                   {"version", std::to_string(weights_version)},
                                   {"hyperparameters", hyperparameters_json(trained.network.hyperparameters())},
                                   {"vocabulary", std::move(vocabulary).text()},
                                   {"training", trained.training}},
                                  tensors));
}

Result<TrainedNetwork> read_weights(std::string_view bytes) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto file, read_safetensors(bytes));
  TRUSTSQL_RETURN_IF_ERROR(check_format(bytes, file, weights_format));
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
  return sealed(write_safetensors({{"format", std::string(checkpoint_format)},
                                   {"hash", std::string(hash_digits, '0')},
                                   {"version", std::to_string(weights_version)},
                                   {"state", state_json(state, fingerprint)}},
                                  tensors));
}

Result<TrainingState> read_checkpoint(std::string_view bytes, std::uint64_t fingerprint, std::size_t parameters) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto file, read_safetensors(bytes));
  TRUSTSQL_RETURN_IF_ERROR(check_format(bytes, file, checkpoint_format));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto json, json_of(file, "state"));
  TrainingState state;
  for (auto& [vector_name, numbers] : vectors_of(state)) {
    const auto* tensor = find(file, vector_name);
    if (tensor == nullptr) return unusable("it lacks the matrix " + std::string(vector_name));
    *numbers = tensor->numbers;
  }
  const auto* mark = json.find("fingerprint");
  const auto fits = [&](const std::vector<float>& numbers) { return numbers.size() == parameters; };
  if (mark == nullptr || !mark->is(JsonTree::Kind::natural) || mark->natural != fingerprint || !fits(state.values) ||
      !fits(state.best_values) || !fits(state.first_moments) || !fits(state.second_moments))
    return unusable("it is of another training: other pairs, options or sizes");
  for (const char* key : {"epoch", "batch", "epochs_since_best", "adam_steps"}) {
    const auto* count = json.find(key);
    if (count == nullptr || !count->is(JsonTree::Kind::natural) || count->natural > std::numeric_limits<int>::max())
      return unusable("its state has no number " + std::string(key));
  }
  for (const char* key : {"loss", "best_auc"}) {
    const auto* number = json.find(key);
    if (number == nullptr || !number->is_number()) return unusable("its state has no number " + std::string(key));
  }
  const auto* pretraining = json.find("pretraining");
  state.pretraining = pretraining != nullptr && pretraining->truth;
  state.epoch = static_cast<int>(json.find("epoch")->natural);
  state.batch = json.find("batch")->natural;
  state.epochs_since_best = static_cast<int>(json.find("epochs_since_best")->natural);
  state.adam_steps = static_cast<std::int64_t>(json.find("adam_steps")->natural);
  state.loss = json.find("loss")->real;
  state.best_auc = json.find("best_auc")->real;
  return state;
}

}  // namespace trustsql::gmn
