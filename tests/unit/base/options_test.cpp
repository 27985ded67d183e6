#include "base/options.hpp"

#include <gtest/gtest.h>

#include "base/setting_specs.hpp"

namespace trustsql {
namespace {

enum class Colour { red, green };
constexpr Choices<Colour> colours = {{"red", Colour::red}, {"green", Colour::green}};
constexpr std::array default_colours = {Colour::green, Colour::red};
constexpr std::array default_numbers = {0.5, 2.0};

constexpr Option<bool> flag_option = {.key = "flag", .description = "", .default_value = true};
constexpr Option<int> count_option = {.key = "count", .description = "", .default_value = 7, .min = 1, .max = 100};
constexpr Option<double> share_option = {.key = "share", .description = "", .default_value = 0.5, .min = 0, .max = 1};
constexpr Option<std::string> name_option = {.key = "name", .description = "", .default_value = "anna"};
constexpr Option<std::string> pet_option = {
    .key = "pet", .description = "", .default_value = "cat", .choices = {"cat", "dog"}};
constexpr Option<Colour> colour_option = {
    .key = "colour", .description = "", .default_value = Colour::green, .choices = colours};
constexpr Option<std::vector<Colour>> colours_option = {.key = "colours",
                                                        .description = "",
                                                        .default_value = default_colours,
                                                        .choices = {{"red", Colour::red}, {"green", Colour::green}}};
constexpr Option<std::vector<Value>> numbers_option = {
    .key = "numbers", .description = "", .default_value = default_numbers};
constexpr Option<std::optional<std::vector<std::string>>> by_option = {.key = "by", .description = ""};
constexpr Option<std::optional<std::int64_t>> limit_option = {.key = "limit", .description = ""};
constexpr Option<std::optional<Value>> any_option = {.key = "any", .description = ""};
constexpr Option<int> other_option = {.key = "other", .description = "", .default_value = 1};

constexpr auto number_options = option_table(count_option, share_option, numbers_option, limit_option);
constexpr auto all_options = option_table(flag_option, number_options, name_option, pet_option, colour_option,
                                          colours_option, by_option, any_option);

Options options_in(std::string_view json) {
  auto options = Options::parse(json, all_options);
  EXPECT_TRUE(options.ok()) << json << ": " << options.error().message;
  return options.ok() ? *std::move(options) : Options(all_options);
}

std::string options_error(std::string_view json) {
  const auto options = Options::parse(json, all_options);
  return options.ok() ? "" : options.error().message;
}

TEST(Options, ThatAreNotGivenOrNullHaveTheirDefault) {
  for (const auto& options :
       {Options(all_options), options_in("{}"), options_in(R"({"flag":null,"count":null,"colours":null})")}) {
    EXPECT_TRUE(options.get(flag_option));
    EXPECT_EQ(options.get(count_option), 7);
    EXPECT_EQ(options.get(share_option), 0.5);
    EXPECT_EQ(options.get(name_option), "anna");
    EXPECT_EQ(options.get(pet_option), "cat");
    EXPECT_EQ(options.get(colour_option), Colour::green);
    EXPECT_EQ(options.get(colours_option), (std::vector{Colour::green, Colour::red}));
    EXPECT_EQ(options.get(numbers_option), (std::vector<Value>{0.5, 2.0}));
    EXPECT_EQ(options.get(by_option), std::nullopt);
    EXPECT_EQ(options.get(limit_option), std::nullopt);
    EXPECT_EQ(options.get(any_option), std::nullopt);
    EXPECT_FALSE(options.has(count_option) || options.has(colours_option) || options.has(limit_option));
    int count = 3;
    options.get_given(count_option, count);
    EXPECT_EQ(count, 3);
  }
}

TEST(Options, ThatAreGivenHaveTheirValue) {
  const auto options = options_in(
      R"({"flag":0,"count":8.0,"share":1,"name":"bert","pet":"dog","colour":"red","colours":["red"],"numbers":[1,"x"],
          "by":["a",2],"limit":-5,"any":"N"})");
  EXPECT_FALSE(options.get(flag_option));
  EXPECT_EQ(options.get(count_option), 8);
  EXPECT_EQ(options.get(share_option), 1);
  EXPECT_EQ(options.get(name_option), "bert");
  EXPECT_EQ(options.get(pet_option), "dog");
  EXPECT_EQ(options.get(colour_option), Colour::red);
  EXPECT_EQ(options.get(colours_option), std::vector{Colour::red});
  EXPECT_EQ(options.get(numbers_option), (std::vector<Value>{std::int64_t{1}, "x"}));
  EXPECT_EQ(options.get(by_option), (std::vector<std::string>{"a", "2"}));
  EXPECT_EQ(options.get(limit_option), -5);
  EXPECT_EQ(options.get(any_option), Value("N"));
  EXPECT_TRUE(options.has(limit_option));
  int count = 3;
  options.get_given(count_option, count);
  EXPECT_EQ(count, 8);
  // A single value stands for an array of one; an empty array is given.
  EXPECT_EQ(options_in(R"({"colours":"red"})").get(colours_option), std::vector{Colour::red});
  EXPECT_EQ(options_in(R"({"colours":[]})").get(colours_option), std::vector<Colour>());
}

TEST(Options, TextsAreAnArrayOrItsJsonText) {
  static constexpr Option<std::optional<JsonTexts>> texts_option = {.key = "texts", .description = ""};
  static constexpr auto table = option_table(texts_option);
  const auto texts = [](std::string_view json) { return Options::parse(json, table)->get(texts_option)->values; };
  const std::vector<std::string> expected = {"t: a, b", "[x]"};
  EXPECT_EQ(texts(R"({"texts":["t: a, b","[x]"]})"), expected);
  EXPECT_EQ(texts(R"({"texts":"[\"t: a, b\",\"[x]\"]"})"), expected);
  EXPECT_TRUE(texts(R"({"texts":[]})").empty());
  EXPECT_TRUE(texts(R"({"texts":"[]"})").empty());
  EXPECT_FALSE(Options::parse(R"({"texts":null})", table)->has(texts_option));
  for (const auto* wrong : {R"({"texts":"t"})", R"({"texts":"{}"})", R"({"texts":"[1]"})", R"({"texts":[1]})",
                            R"({"texts":[["a"]]})", R"({"texts":7})", R"({"texts":{}})"}) {
    const auto parsed = Options::parse(wrong, table);
    ASSERT_FALSE(parsed.ok()) << wrong;
    EXPECT_NE(parsed.error().message.find("texts"), std::string::npos) << parsed.error().message;
  }
}

TEST(Options, ErrorsNameWhatIsAllowed) {
  EXPECT_EQ(options_error(R"({"colour":"blue"})"), "option 'colour' must be one of red, green, not 'blue'");
  EXPECT_EQ(options_error(R"({"colours":["red","blue"]})"), "option 'colours' must be one of red, green, not 'blue'");
  EXPECT_EQ(options_error(R"({"colours":["red",1]})"), "option 'colours' must be one of red, green, not '1'");
  EXPECT_EQ(options_error(R"({"count":101})"), "option 'count' must be between 1 and 100, not 101");
  EXPECT_EQ(options_error(R"({"count":"1"})"), "option 'count' must be an integer, not string '1'");
  EXPECT_EQ(options_error(R"({"counts":1})"),
            "unknown option 'counts'; known: flag, count, share, numbers, limit, name, pet, colour, colours, by, any");
}

TEST(Options, KnowWhatTheirTableLists) {
  const Options options(number_options);
  EXPECT_TRUE(options.lists(count_option));
  EXPECT_FALSE(options.lists(other_option));
  EXPECT_FALSE(Options().lists(count_option));
  EXPECT_DEBUG_DEATH((void)options.has(other_option), "does not list");
}

TEST(OptionTable, WritesDefaultsAsJson) {
  const auto default_of = [](std::string_view key) {
    for (const auto& row : all_options)
      if (row.key == key) return row.default_text == nullptr ? "none" : row.default_text(row.option);
    return std::string("unknown");
  };
  EXPECT_EQ(default_of("flag"), "true");
  EXPECT_EQ(default_of("count"), "7");
  EXPECT_EQ(default_of("share"), "0.5");
  EXPECT_EQ(default_of("name"), "\"anna\"");
  EXPECT_EQ(default_of("colour"), "\"green\"");
  EXPECT_EQ(default_of("colours"), "[\"green\", \"red\"]");
  EXPECT_EQ(default_of("numbers"), "[0.5, 2.0]");
  EXPECT_EQ(default_of("by"), "none");
}

TEST(DefaultInteger, IsTheDefaultOfTheSetting) {
  const auto settings = *Settings::create([](std::string_view) { return std::nullopt; });
  EXPECT_EQ(settings.integer(Setting::max_vdbe_ops), default_integer(Setting::max_vdbe_ops));
  static_assert(default_integer<int>(Setting::llm_seed) == -1);
}

}  // namespace
}  // namespace trustsql
