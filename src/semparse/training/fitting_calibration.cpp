#include "semparse/training/fitting.hpp"

namespace trustsql::semparse {

void calibrate(ParserModel& model, const std::vector<HeldOutAnswer>& held_out) {
  std::vector<CalibrationRow> rows;
  std::vector<UnifiedExample> examples;
  for (const auto& answer : held_out) {
    const bool feasible = answer.kind == "feasible";
    const float confidence = answer.has_objections ? 0 : static_cast<float>(answer.confidence);
    rows.push_back({confidence, static_cast<std::uint32_t>(answer.database), feasible, answer.right});
    examples.push_back({answer.unified, feasible, answer.right});
  }
  model.calibration = Calibration(std::move(rows));
  if (auto fits = fit_unified(examples); fits.ok()) model.unified = *std::move(fits);
}

}  // namespace trustsql::semparse
