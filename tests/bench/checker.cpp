// What it costs to check proofs, and which of them the checker rejects.
//
//   checker PAIRS(.jsonl) DATA [none|constraints|types]
//
// PAIRS: as in the development data; DATA: its folder. Each pair is proved with and without the check, in turn, several
// times; the fastest run of each counts. Prints the number of proofs, those that were rejected with their queries, and
// the time of the check as a share of the time of the proofs.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/pair_files.hpp"
#include "db/catalog/catalog_reader.hpp"
#include "db/sqlite/sqlite_api.hpp"
#include "equiv/prover.hpp"
#include "plan/query_plan.hpp"

namespace {

using namespace trustsql;
using namespace trustsql_bench;
namespace fs = std::filesystem;

// Catalogs by the names of schemas or databases; empty ones where SQLite rejects the DDL.
const Catalog& catalog_of(const nlohmann::json& pair, const fs::path& data) {
  static std::map<std::string, Catalog> catalogs;
  const bool by_ddl = pair.contains("schema");
  const std::string name = pair.at(by_ddl ? "schema" : "db_id");
  const auto [entry, is_new] = catalogs.try_emplace(name);
  if (!is_new) return entry->second;
  sqlite3* db = nullptr;
  const std::string file = by_ddl ? ":memory:" : (data / "spider/databases" / (name + ".sqlite")).string();
  if (sqlite3_open_v2(file.c_str(), &db, by_ddl ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY,
                      nullptr) == SQLITE_OK) {
    if (by_ddl) sqlite3_exec(db, content(data / "pairs/schemas" / (name + ".sql")).c_str(), nullptr, nullptr, nullptr);
    if (auto catalog = read_catalog(db); catalog.ok()) entry->second = *std::move(catalog);
  }
  sqlite3_close(db);
  return entry->second;
}

struct Timed {
  equiv::ProofAttempt attempt;
  double microseconds = 0;
};

Timed timed(const plan::Plan& a, const plan::Plan& b, const equiv::ProveOptions& options) {
  const auto begun = std::chrono::steady_clock::now();
  auto attempt = equiv::prove(a, b, options);
  const std::chrono::duration<double, std::micro> duration = std::chrono::steady_clock::now() - begun;
  return {std::move(attempt), duration.count()};
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: checker PAIRS DATA [none|constraints|types]\n");
    return 2;
  }
  const std::string assume = argc > 3 ? argv[3] : "none";
  const fs::path data = argv[2];
  equiv::ProveOptions unchecked;
  unchecked.assume = assume == "types"         ? plan::Assume::everything()
                     : assume == "constraints" ? plan::Assume()
                                               : plan::Assume::nothing();
  unchecked.rows_as_bag = true;
  unchecked.check = false;
  auto checked = unchecked;
  checked.check = true;

  int proofs = 0;
  int rejected = 0;
  double sum_unchecked = 0;
  double sum_checked = 0;
  std::vector<double> shares;
  std::ifstream lines(argv[1]);
  for (std::string line; std::getline(lines, line);) {
    const auto pair = nlohmann::json::parse(line);
    const auto& catalog = catalog_of(pair, data);
    const std::string a = pair.at("a");
    const std::string b = pair.at("b");
    const auto of_a = plan::plan_query(a, catalog, {});
    const auto of_b = plan::plan_query(b, catalog, {});
    if (!of_a.ok() || !of_b.ok()) continue;
    auto without_check = timed(*of_a, *of_b, unchecked);
    if (!without_check.attempt.proof) continue;
    auto with_check = timed(*of_a, *of_b, checked);
    for (int i = 0; i < 4; ++i) {
      without_check.microseconds = std::min(without_check.microseconds, timed(*of_a, *of_b, unchecked).microseconds);
      with_check.microseconds = std::min(with_check.microseconds, timed(*of_a, *of_b, checked).microseconds);
    }
    ++proofs;
    sum_unchecked += without_check.microseconds;
    sum_checked += with_check.microseconds;
    shares.push_back(with_check.microseconds / without_check.microseconds - 1);
    if (with_check.attempt.proof) continue;
    ++rejected;
    std::printf("rejected: %s\n  %s\n  %s\n", with_check.attempt.gap.detail.c_str(), a.c_str(), b.c_str());
  }
  std::printf("%d proofs, %d rejected; time of the check: %.1f%% of the proofs' in sum, median %.1f%%\n", proofs,
              rejected, sum_unchecked > 0 ? 100 * (sum_checked / sum_unchecked - 1) : 0.0, 100 * median(shares));
}
