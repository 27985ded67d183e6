#include "semparse/model/model_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/value.hpp"
#include "semparse/abstention/confidence.hpp"
#include "semparse/learning/model_bytes.hpp"
#include "semparse/model/module_bytes.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_table = std::size_t{1} << 26;
constexpr std::size_t checksum_size = 8;
// What follows the weights.
constexpr std::uint8_t calibration_tag = 1;
constexpr std::uint8_t unified_tag = 2;
constexpr std::uint8_t classifier_tag = 3;
constexpr std::uint8_t detector_tag = 4;
constexpr std::uint8_t forms_tag = 5;

void write_part(PartWriter& out, const SelectPart& part) {
  out.byte(static_cast<std::uint8_t>(part.aggregate));
  out.byte(static_cast<std::uint8_t>((part.distinct ? 2 : 0) + (part.rows ? 1 : 0)));
}

SelectPart read_part(PartReader& in) {
  SelectPart part;
  part.aggregate = in.choice(Aggregate::max);
  const auto flags = in.byte();
  part.distinct = (flags & 2) != 0;
  part.rows = (flags & 1) != 0;
  return part;
}

void write_optional(PartWriter& out, const std::optional<SelectPart>& part) {
  out.byte(part ? 1 : 0);
  if (part) write_part(out, *part);
}

std::optional<SelectPart> read_optional(PartReader& in) {
  if (in.byte() == 0) return std::nullopt;
  return read_part(in);
}

void write_skeleton(PartWriter& out, const Skeleton& skeleton) {
  out.varint(skeleton.select.size());
  for (const auto& part : skeleton.select) write_part(out, part);
  const int flags = (skeleton.literals ? 1 : 0) + (skeleton.any ? 2 : 0) + (skeleton.subquery_literals ? 4 : 0) +
                    (skeleton.group ? 8 : 0) + (skeleton.descending ? 16 : 0) + (skeleton.other_literals ? 32 : 0) +
                    (skeleton.distinct ? 64 : 0);
  out.byte(static_cast<std::uint8_t>(flags));
  out.byte(static_cast<std::uint8_t>(skeleton.null_test));
  out.byte(static_cast<std::uint8_t>(skeleton.subquery));
  write_part(out, skeleton.subquery_select);
  out.byte(static_cast<std::uint8_t>(skeleton.subquery_comparison));
  write_optional(out, skeleton.having);
  write_optional(out, skeleton.order);
  out.byte(static_cast<std::uint8_t>(skeleton.limit));
  out.byte(static_cast<std::uint8_t>(skeleton.operation));
}

Skeleton read_skeleton(PartReader& in) {
  Skeleton skeleton;
  const auto parts = in.count(2);
  for (std::size_t i = 0; i < parts; ++i) skeleton.select.push_back(read_part(in));
  const auto flags = in.byte();
  skeleton.literals = (flags & 1) != 0;
  skeleton.any = (flags & 2) != 0;
  skeleton.subquery_literals = (flags & 4) != 0;
  skeleton.group = (flags & 8) != 0;
  skeleton.descending = (flags & 16) != 0;
  skeleton.other_literals = (flags & 32) != 0;
  skeleton.distinct = (flags & 64) != 0;
  skeleton.null_test = in.choice(NullTest::is_not_null);
  skeleton.subquery = in.choice(SubqueryKind::aggregate);
  skeleton.subquery_select = read_part(in);
  skeleton.subquery_comparison = in.choice(Comparison::is_not_null);
  skeleton.having = read_optional(in);
  skeleton.order = read_optional(in);
  skeleton.limit = in.choice(LimitKind::number);
  skeleton.operation = in.choice(SetOperation::except);
  return skeleton;
}

void write_weights(PartWriter& out, const LinearModel& model, std::size_t max_weights) {
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < model.size(); ++i)
    if (model.at(i) != 0) kept.push_back(static_cast<std::uint32_t>(i));
  const auto larger = [&model](std::uint32_t a, std::uint32_t b) {
    const float x = std::fabs(model.at(a));
    const float y = std::fabs(model.at(b));
    return x != y ? x > y : a < b;
  };
  if (kept.size() > max_weights) {
    std::nth_element(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(max_weights), kept.end(), larger);
    kept.resize(max_weights);
  }
  float largest = 0;
  for (const auto i : kept) largest = std::max(largest, std::fabs(model.at(i)));
  const auto level = [&](std::uint32_t i) {
    return static_cast<int>(std::lround(model.at(i) / largest * LinearModel::max_level));
  };
  std::erase_if(kept, [&](std::uint32_t i) { return level(i) == 0; });
  std::sort(kept.begin(), kept.end());
  out.varint(model.size());
  out.fixed64(std::bit_cast<std::uint32_t>(largest));
  out.varint(kept.size());
  std::uint32_t before = 0;
  for (const auto i : kept) {
    out.varint(i - before);
    out.byte(static_cast<std::uint8_t>(static_cast<std::int8_t>(level(i))));
    before = i;
  }
}

bool read_weights(PartReader& in, LinearModel& model) {
  const auto size = in.varint();
  if (!in.ok() || size == 0 || size > max_table || !std::has_single_bit(size)) return false;
  const auto largest = std::bit_cast<float>(static_cast<std::uint32_t>(in.fixed64()));
  if (!std::isfinite(largest)) return false;
  std::vector<std::int8_t> levels(static_cast<std::size_t>(size), 0);
  const auto count = in.count(2);
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    at += in.varint();
    const auto level = static_cast<std::int8_t>(in.byte());
    if (!in.ok() || at >= size) return false;
    levels[static_cast<std::size_t>(at)] = level;
  }
  model = LinearModel(std::move(levels), largest);
  return in.ok();
}

}  // namespace

std::string write_model(const ParserModel& model, std::size_t max_weights) {
  PartWriter out;
  out.bytes(model_file_magic);
  out.varint(model_file_version);
  out.varint(model.vocabulary.words().size());
  for (const auto& [hash, idle] : model.vocabulary.words()) {
    out.fixed64(hash);
    out.byte(static_cast<std::uint8_t>(std::lround(idle * 255)));
  }
  out.varint(model.skeletons.size());
  for (const auto& each : model.skeletons) write_skeleton(out, each.skeleton);
  for (const auto* weights : {&model.weights, &model.ranking}) write_weights(out, *weights, max_weights);
  for (const auto* trees : {&model.choice, &model.confidence}) write_trees(out, *trees);
  if (model.calibration) {
    out.byte(calibration_tag);
    out.part(write_calibration(*model.calibration));
  }
  if (model.unified) {
    out.byte(unified_tag);
    out.part(write_unified(*model.unified));
  }
  if (model.classifier) {
    out.byte(classifier_tag);
    out.part(write_classifier(*model.classifier));
  }
  if (model.detector) {
    out.byte(detector_tag);
    out.part(write_detector(*model.detector));
  }
  if (model.forms) {
    PartWriter part;
    write_weights(part, *model.forms, max_weights);
    out.byte(forms_tag);
    out.part(part.take());
  }
  return sealed_model(out.take());
}

std::string sealed_model(std::string bytes) {
  PartWriter checksum;
  checksum.fixed64(hash_bytes(bytes, 0));
  return std::move(bytes) + checksum.take();
}

Result<ParserModel> read_model(std::string_view bytes) {
  if (!bytes.starts_with(model_file_magic)) return invalid_argument("not a model of the embedded parser");
  const auto body = bytes.substr(0, bytes.size() - std::min(bytes.size() - model_file_magic.size(), checksum_size));
  PartReader in(body);
  in.skip(model_file_magic);
  if (const auto version = in.varint(); !in.ok() || version != model_file_version)
    return invalid_argument("the model has version " + std::to_string(version) + ", and this library reads version " +
                            std::to_string(model_file_version));
  if (PartReader checksum(bytes.substr(body.size())); checksum.fixed64() != hash_bytes(body, 0) || !checksum.ok())
    return invalid_argument("the model is damaged: its checksum does not match");
  ParserModel model{.weights = LinearModel(1), .ranking = LinearModel(1)};  // read_weights() gives them their size
  const auto words = in.count(9);
  for (std::size_t i = 0; i < words; ++i) {
    const auto hash = in.fixed64();
    model.vocabulary.insert(hash, static_cast<float>(in.byte()) / 255);
  }
  const auto skeletons = in.count(12);
  for (std::size_t i = 0; i < skeletons && in.ok(); ++i) {
    auto skeleton = read_skeleton(in);
    auto fragments = fragments_of(skeleton);
    model.skeletons.push_back({std::move(skeleton), std::move(fragments)});
  }
  for (auto* weights : {&model.weights, &model.ranking})
    if (!read_weights(in, *weights)) return invalid_argument("the model is damaged");
  if (!read_trees(in, choice_input_count(), model.choice) ||
      !read_trees(in, confidence_input_count(), model.confidence))
    return invalid_argument("the model is damaged");
  // Parts that older files do not have, each once and in this order.
  std::uint8_t last = 0;
  while (in.ok() && !in.at_end()) {
    const auto tag = in.byte();
    const auto part = in.part();
    if (!in.ok() || tag <= last || tag > forms_tag)
      return invalid_argument("the model is damaged: there are bytes after its end");
    last = tag;
    if (tag == calibration_tag) {
      TRUSTSQL_ASSIGN_OR_RETURN(model.calibration, read_calibration(part));
    } else if (tag == unified_tag) {
      TRUSTSQL_ASSIGN_OR_RETURN(model.unified, read_unified(part));
    } else if (tag == classifier_tag) {
      TRUSTSQL_ASSIGN_OR_RETURN(model.classifier, read_classifier(part));
    } else if (tag == detector_tag) {
      TRUSTSQL_ASSIGN_OR_RETURN(model.detector, read_detector(part));
    } else {
      PartReader forms(part);
      if (!read_weights(forms, model.forms.emplace()) || !forms.at_end())
        return invalid_argument("the model is damaged");
    }
  }
  return model;
}

}  // namespace trustsql::semparse
