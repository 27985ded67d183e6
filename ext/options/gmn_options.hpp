// The options of gmn_train and gmn_attention.
#pragma once

#include <algorithm>

#include "ext/options/schema_options.hpp"
#include "gmn/hyperparameters.hpp"
#include "gmn/pair_graphs.hpp"
#include "gmn/trainer.hpp"

namespace trustsql::ext {

template <int gmn::Hyperparameters::*member>
inline constexpr const gmn::HyperparameterSpec& hyperparameter_spec =
    *std::ranges::find(gmn::hyperparameter_specs, member, &gmn::HyperparameterSpec::member);

// The option that has the name, the range and the summary of a hyper-parameter.
template <int gmn::Hyperparameters::*member>
inline constexpr Option<int> size_option = {.key = hyperparameter_spec<member>.name,
                                            .description = hyperparameter_spec<member>.summary,
                                            .default_value = gmn::shipped_hyperparameters.*member,
                                            .min = hyperparameter_spec<member>.least,
                                            .max = hyperparameter_spec<member>.most};

inline constexpr Option<gmn::Representation> representation_option = {
    .key = "representation",
    .description = "What a query becomes a graph of: relnode, its normalised plan; ast, its syntax tree.",
    .default_value = gmn::Hyperparameters{}.representation,
    .choices = {{"relnode", gmn::Representation::rel_node}, {"ast", gmn::Representation::ast}}};
inline constexpr Option<bool> flows_option = {.key = "flows",
                                              .description = "Whether graphs have logic and data edges.",
                                              .default_value = gmn::Hyperparameters{}.flows};
inline constexpr Option<gmn::Positions> positions_option = {
    .key = "positions",
    .description =
        "How the positions of nodes are encoded: by random walks on both graphs joined (merged), on each "
        "alone (separate), or not at all (none).",
    .default_value = gmn::Hyperparameters{}.positions,
    .choices = {
        {"none", gmn::Positions::none}, {"separate", gmn::Positions::separate}, {"merged", gmn::Positions::merged}}};

inline constexpr auto hyperparameter_options = option_table(
    representation_option, flows_option, positions_option, size_option<&gmn::Hyperparameters::node_state>,
    size_option<&gmn::Hyperparameters::edge_state>, size_option<&gmn::Hyperparameters::message>,
    size_option<&gmn::Hyperparameters::graph_vector>, size_option<&gmn::Hyperparameters::steps>,
    size_option<&gmn::Hyperparameters::walk_steps>, size_option<&gmn::Hyperparameters::position_state>,
    size_option<&gmn::Hyperparameters::string_length>, size_option<&gmn::Hyperparameters::string_channels>);

inline constexpr Option<int> epochs_option = {.key = "epochs",
                                              .description = "The number of passes over the pairs.",
                                              .default_value = gmn::TrainingOptions{}.epochs,
                                              .min = 1,
                                              .max = 10'000};
inline constexpr Option<int> pretraining_epochs_option = {
    .key = "pretraining_epochs",
    .description = "The number of passes of contrastive pre-training before that; 0: none.",
    .default_value = gmn::TrainingOptions{}.pretraining_epochs,
    .min = 0,
    .max = 10'000};
inline constexpr Option<int> batch_option = {.key = "batch",
                                             .description = "The number of pairs of a step.",
                                             .default_value = gmn::TrainingOptions{}.batch,
                                             .min = 1,
                                             .max = 10'000};
inline constexpr Option<double> rate_option = {.key = "rate",
                                               .description = "The highest learning rate of Adam.",
                                               .default_value = gmn::TrainingOptions{}.rate,
                                               .min = 1e-7,
                                               .max = 1};
inline constexpr Option<double> margin_option = {.key = "margin",
                                                 .description = "The margin of the loss.",
                                                 .default_value = gmn::TrainingOptions{}.margin,
                                                 .min = 0,
                                                 .max = 10};
inline constexpr Option<double> renamed_option = {
    .key = "renamed",
    .description =
        "The share of the pairs that are shown with other names and literals, drawn from those of all pairs.",
    .default_value = gmn::TrainingOptions{}.renamed,
    .min = 0,
    .max = 1};
inline constexpr Option<double> variants_option = {
    .key = "variants",
    .description = "The share of the queries of which a plan half normalised is shown.",
    .default_value = gmn::default_variants,
    .min = 0,
    .max = 1};
inline constexpr Option<double> held_out_option = {
    .key = "held_out",
    .description =
        "The share of the groups (databases, or first queries if there is one database) that are held out to "
        "measure the AUC.",
    .default_value = gmn::TrainingOptions{}.held_out,
    .min = 0,
    .max = 0.9};
inline constexpr Option<int> patience_option = {
    .key = "patience",
    .description = "The number of epochs without a better AUC after which training ends; 0: never.",
    .default_value = gmn::TrainingOptions{}.patience,
    .min = 0,
    .max = 10'000};
inline constexpr Option<std::uint64_t> training_seed_option = {
    .key = "seed",
    .description = "The seed: the same pairs, options and seed give the same network.",
    .default_value = gmn::TrainingOptions{}.seed};
inline constexpr Option<std::optional<std::string>> checkpoint_option = {
    .key = "checkpoint",
    .description =
        "A file that is written after each epoch, and where training is interrupted. If it exists, training "
        "goes on from it; it must be of the same pairs and options."};

inline constexpr auto gmn_train_options = option_table(
    schema_options, epochs_option, pretraining_epochs_option, batch_option, rate_option, margin_option, renamed_option,
    variants_option, held_out_option, patience_option, training_seed_option, checkpoint_option, hyperparameter_options);

inline gmn::Hyperparameters hyperparameters_of(const Options& options) {
  using H = gmn::Hyperparameters;
  H h;
  h.representation = options.get(representation_option);
  h.flows = options.get(flows_option);
  h.positions = options.get(positions_option);
  h.node_state = options.get(size_option<&H::node_state>);
  h.edge_state = options.get(size_option<&H::edge_state>);
  h.message = options.get(size_option<&H::message>);
  h.graph_vector = options.get(size_option<&H::graph_vector>);
  h.steps = options.get(size_option<&H::steps>);
  h.walk_steps = options.get(size_option<&H::walk_steps>);
  h.position_state = options.get(size_option<&H::position_state>);
  h.string_length = options.get(size_option<&H::string_length>);
  h.string_channels = options.get(size_option<&H::string_channels>);
  return h;
}

inline gmn::TrainingOptions training_options_of(const Options& options) {
  gmn::TrainingOptions training;
  training.epochs = options.get(epochs_option);
  training.pretraining_epochs = options.get(pretraining_epochs_option);
  training.batch = options.get(batch_option);
  training.rate = options.get(rate_option);
  training.pretraining_rate = training.rate;
  training.margin = options.get(margin_option);
  training.renamed = options.get(renamed_option);
  training.held_out = options.get(held_out_option);
  training.patience = options.get(patience_option);
  training.seed = options.get(training_seed_option);
  return training;
}

}  // namespace trustsql::ext
