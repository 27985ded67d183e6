// Trainer: learns a network from labelled pairs of graphs.
//
// First contrastive pre-training (C.4), where the two views of a graph form a pair and the views of the other graphs of
// the batch are what they are told apart from; then training on the labels with the margin loss (section 4.3, C.3). A
// part of the pairs is held out, whole groups at a time; after each epoch the area under the ROC curve on them decides
// whether the network is the best one so far, and whether training goes on. The rate of Adam rises over the first steps
// and falls with half a cosine to nothing. The same data, options and seed give the same network, on any number of
// threads and however often training was interrupted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "gmn/adam.hpp"
#include "gmn/augmentation.hpp"
#include "gmn/batch_pass.hpp"
#include "gmn/network.hpp"
#include "gmn/training_set.hpp"

namespace trustsql::gmn {

// The settings of the public code, but for the rate: 1e-4 (1e-5 in pre-training) there, with many more epochs.
struct TrainingOptions {
  int epochs = 12;
  int pretraining_epochs = 1;
  int batch = 20;
  int pretraining_batch = 64;
  double rate = 1e-3;
  double pretraining_rate = 1e-3;
  double margin = 0.4;
  double regulariser = 1e-6;  // on the squares of graph vectors
  double clip = 10;
  double temperature = 0.5;  // of the contrastive loss
  double renamed = 0.5;      // share of the pairs that are shown with other names (Renamer)
  double held_out = 0.1;     // share of the groups
  int patience = 5;          // epochs without a better AUC, after which training ends; 0: never
  std::uint64_t seed = 1;
};

struct EpochReport {
  bool pretraining = false;
  int epoch = 0;  // from 1
  double loss = 0;
  std::optional<double> auc{};  // on the pairs held out, if there are both kinds among them
  bool is_best = false;
};

// What training has come to: all that a checkpoint needs beside the data.
struct TrainingState {
  bool pretraining = true;
  int epoch = 0;          // finished ones of this phase
  std::size_t batch = 0;  // the next one of the epoch
  double loss = 0;        // sum over the batches of the epoch
  int epochs_since_best = 0;
  double best_auc = -1;
  std::int64_t adam_steps = 0;
  std::vector<float> values;  // parameters
  std::vector<float> best_values;
  std::vector<float> first_moments;
  std::vector<float> second_moments;
};

class Trainer {
 public:
  // `groups`: for each pair the number of its group, which is held out as a whole. Errors (invalid_argument): no pairs,
  // or pairs of one label only.
  static Result<std::unique_ptr<Trainer>> create(const LabelledGraphs& labelled, const std::vector<std::size_t>& groups,
                                                 const Hyperparameters& hyperparameters, const TrainingOptions& options,
                                                 std::size_t threads);

  // Goes on until an epoch ends, training is complete (no report), or `stop` returns true, which is asked all the time:
  // interrupted. A batch that was not finished is begun again by the next call.
  Result<std::optional<EpochReport>> next(const std::function<bool()>& stop);

  // The best network so far; before any epoch has ended, the one with which training began.
  Network best() const;
  double best_auc() const { return state_.best_auc; }
  // A number that is the same for the same data, sizes and options.
  std::uint64_t fingerprint() const { return fingerprint_; }
  TrainingState state() const;
  // Goes on from a state of a trainer with the same fingerprint. Precondition: the vectors have the sizes of state().
  void restore(TrainingState state);

  std::size_t training_pairs() const { return training_.size(); }
  std::size_t held_out_pairs() const { return held_out_.size(); }

 private:
  Trainer(Network network, TrainingSet set, const TrainingOptions& options, std::size_t threads);

  std::size_t batch_size() const {
    return static_cast<std::size_t>(state_.pretraining ? options_.pretraining_batch : options_.batch);
  }
  std::size_t batch_count() const;
  int epoch_count() const { return state_.pretraining ? options_.pretraining_epochs : options_.epochs; }
  double rate() const;
  std::vector<std::size_t> order_of_epoch() const;
  double run_batch(std::span<const std::size_t> chosen, std::span<float> gradient);
  double run_pretraining_batch(std::span<const std::size_t> chosen, std::span<float> gradient);
  EpochReport end_epoch(std::optional<double> auc);
  std::optional<double> held_out_auc();
  void begin_training();

  Network network_;
  TrainingSet set_;
  Renamer renamer_;
  TrainingOptions options_;
  Adam adam_;
  BatchPass pass_;
  std::vector<std::size_t> training_;  // numbers of pairs
  std::vector<std::size_t> held_out_;
  TrainingState state_;  // without values and moments, which are in network_ and adam_
  std::vector<std::size_t> order_;
  std::uint64_t fingerprint_ = 0;
};

}  // namespace trustsql::gmn
