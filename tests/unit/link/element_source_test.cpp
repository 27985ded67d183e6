#include "link/element_source.hpp"

#include <gtest/gtest.h>

#include "unit/db/support.hpp"

namespace trustsql::link {
namespace {

class ElementSourceTest : public testing::Test {
 protected:
  Result<ElementSet> try_read(std::string_view query) {
    auto source = RowSource::open(host_, query);
    if (!source.ok()) return std::move(source).error();
    return elements_of(*std::move(source));
  }
  ElementSet read(std::string_view query) {
    auto elements = try_read(query);
    EXPECT_TRUE(elements.ok()) << elements.error().message;
    return elements.ok() ? *std::move(elements) : ElementSet();
  }
  // The numbers of the elements joined with element `index`.
  static std::vector<std::uint32_t> linked(const ElementSet& elements, std::size_t index) {
    return elements.linked(index);
  }

  test::TestConnection host_;
};

using Numbers = std::vector<std::uint32_t>;

TEST_F(ElementSourceTest, EachRowIsAnElement) {
  const auto elements = read("SELECT 'a' AS tbl, 'x' AS col UNION ALL SELECT 'b', 'y' UNION ALL SELECT 'a', 'x'");
  ASSERT_EQ(elements.size(), 2U);
  EXPECT_EQ(elements[0].text(), "a.x");
  EXPECT_EQ(elements[1].text(), "b.y");
}

TEST_F(ElementSourceTest, DatabasesArePrefixes) {
  const auto elements = read("SELECT column1 AS db, 'a' AS tbl, 'x' AS col FROM (VALUES ('shop'), ('main'), ('temp'))");
  ASSERT_EQ(elements.size(), 2U);  // main and temp are the same
  EXPECT_EQ(elements[0].text(), "shop.a.x");
  EXPECT_EQ(elements[1].text(), "a.x");
}

TEST_F(ElementSourceTest, ReferencesStayInTheirDatabase) {
  const auto elements = read(
      "SELECT column1 AS db, column2 AS tbl, column3 AS col, column4 AS refs FROM (VALUES ('one', 'race', 'id', NULL), "
      "('two', 'race', 'id', NULL), ('one', 'result', 'race_id', 'RACE.ID'), ('two', 'result', 'other', "
      "'nothing.id'))");
  EXPECT_EQ(linked(elements, 2), Numbers{0});
  EXPECT_EQ(linked(elements, 0), Numbers{2});
  EXPECT_EQ(linked(elements, 1), Numbers{});
  EXPECT_EQ(linked(elements, 3), Numbers{});
}

TEST_F(ElementSourceTest, WithoutReferencesNamesDecide) {
  const auto elements = read(
      "SELECT column1 AS tbl, column2 AS col FROM (VALUES ('races', 'id'), ('results', 'race_id'), ('results', 'id'))");
  EXPECT_EQ(linked(elements, 1), Numbers{0});
}

TEST_F(ElementSourceTest, SaysWhichColumnIsMissing) {
  const auto elements = try_read("SELECT 'a' AS tbl");
  ASSERT_FALSE(elements.ok());
  EXPECT_EQ(elements.error().message, "the source has no column 'col'; it has: tbl");
}

}  // namespace
}  // namespace trustsql::link
