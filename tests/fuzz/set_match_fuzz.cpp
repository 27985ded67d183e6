// The reader of Spider's grammar takes any text; what it reads matches itself, except for NaN in a subquery of FROM.

#include <cstdint>

#include "base/text.hpp"
#include "fuzz/check.hpp"
#include "score/set_match/exact_set_match.hpp"
#include "score/set_match/reader.hpp"

using namespace trustsql;

namespace {

const set_match::Schema& schema() {
  static const set_match::Schema of_fuzz = [] {
    const auto table = [](std::string name, std::initializer_list<const char*> columns) {
      Table table;
      table.schema = "main";
      table.name = std::move(name);
      for (const char* const column : columns) {
        Column added;
        added.name = column;
        table.columns.push_back(added);
      }
      return table;
    };
    std::vector<Table> tables = {table("t", {"a", "b", "id"}), table("u", {"a", "c", "t_id"})};
    ForeignKey key;
    key.columns = {2};
    key.parent_table = "t";
    key.parent_columns = {"id"};
    tables[1].foreign_keys.push_back(key);
    return set_match::Schema(Catalog({{"main", 0}}, std::move(tables)));
  }();
  return of_fuzz;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto middle = text.find('\n');
  const auto gold = text.substr(0, middle);
  const auto pred = middle == std::string_view::npos ? std::string_view() : text.substr(middle + 1);
  const auto match = exact_set_match(gold, pred, schema());
  if (match.ok()) {
    for (const auto& component : match->components)
      FUZZ_CHECK(component.matched <= component.gold && component.matched <= component.pred);
  }
  const auto itself = exact_set_match(gold, gold, schema());
  FUZZ_CHECK(itself.ok() == set_match::read(gold, schema()).ok());
  if (itself.ok()) FUZZ_CHECK(itself->exact || contains_ignore_case(gold, "nan"));
  return 0;
}
