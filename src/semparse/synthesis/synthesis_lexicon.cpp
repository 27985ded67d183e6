#include "semparse/synthesis/synthesis_lexicon.hpp"

namespace trustsql::semparse {

namespace {

using Words = std::string_view;

constexpr Words people[] = {"person", "people", "student", "teacher", "employee", "customer",  "singer",
                            "artist", "player", "author",  "patient", "doctor",   "physician", "user",
                            "member", "staff",  "worker",  "actor",   "director", "driver",    "owner",
                            "client", "guest",  "visitor", "manager", "student",  "professor", "musician",
                            "coach",  "nurse",  "friend",  "tourist"};
constexpr Words numbers_of_people[] = {"shoe size", "monthly income", "body weight", "annual salary",
                                       "net worth", "credit score",   "waist size",  "pension"};
constexpr Words texts_of_people[] = {"birthday",        "marital status", "phone number", "blood type",
                                     "nationality",     "religion",       "hobby",        "email address",
                                     "native language", "eye colour",     "job title",    "middle name"};

constexpr Words places[] = {"city",  "country",    "state",    "region",   "county",  "island",
                            "town",  "village",    "airport",  "station",  "stadium", "building",
                            "hotel", "restaurant", "store",    "shop",     "museum",  "mountain",
                            "river", "address",    "location", "district", "theatre", "branch"};
constexpr Words numbers_of_places[] = {"annual rainfall", "crime rate",          "elevation",     "land area",
                                       "parking fee",     "average temperature", "visitor count", "unemployment rate"};
constexpr Words texts_of_places[] = {"postal code",      "mayor",   "opening hours",   "time zone", "founding date",
                                     "telephone number", "climate", "nearest motorway"};

constexpr Words things[] = {"product", "item",  "car",      "vehicle", "aircraft",  "ship",     "device", "book",
                            "song",    "album", "movie",    "film",    "track",     "document", "game",   "machine",
                            "phone",   "wine",  "property", "room",    "furniture", "dish",     "train",  "part"};
constexpr Words numbers_of_things[] = {"warranty period", "shipping weight", "retail price", "energy consumption",
                                       "discount",        "stock level",     "thickness",    "resale value"};
constexpr Words texts_of_things[] = {"serial number", "colour",          "manufacturer",      "expiry date",
                                     "material",      "customer review", "country of origin", "release date"};

constexpr Words groups[] = {"company",   "organization", "department",  "team",   "club",    "school", "university",
                            "college",   "bank",         "party",       "band",   "airline", "agency", "manufacturer",
                            "publisher", "supplier",     "institution", "office", "hospital"};
constexpr Words numbers_of_groups[] = {"annual revenue", "stock price",   "number of employees",   "market share",
                                       "profit margin",  "annual budget", "customer satisfaction", "membership fee"};
constexpr Words texts_of_groups[] = {"founder",       "headquarters", "tax number", "chief executive",
                                     "founding year", "web address",  "motto",      "legal form"};

constexpr Words events[] = {"event",      "concert",  "match",   "game",        "race",   "competition",
                            "tournament", "course",   "class",   "meeting",     "battle", "election",
                            "show",       "festival", "flight",  "trip",        "order",  "purchase",
                            "payment",    "invoice",  "booking", "appointment", "visit",  "conference"};
constexpr Words numbers_of_events[] = {"ticket price", "attendance",       "cancellation fee",   "television audience",
                                       "prize money",  "carbon footprint", "satisfaction score", "insurance cost"};
constexpr Words texts_of_events[] = {"sponsor",    "weather condition", "start time",  "registration deadline",
                                     "dress code", "referee",           "broadcaster", "organizer"};

constexpr EntityKind entity_list[] = {{people, numbers_of_people, texts_of_people},
                                      {places, numbers_of_places, texts_of_places},
                                      {things, numbers_of_things, texts_of_things},
                                      {groups, numbers_of_groups, texts_of_groups},
                                      {events, numbers_of_events, texts_of_events}};

constexpr Words task_templates[] = {
    "Predict the {column} of the {nouns} for next year.",
    "What will the {column} of the {nouns} be in the future?",
    "Forecast how many {nouns} there will be in ten years.",
    "Draw a bar chart of the {column} of the {nouns}.",
    "Plot the {column} of all {nouns}.",
    "Visualize the {nouns} by {column}.",
    "Write a short summary of the {nouns}.",
    "Write a poem about the {nouns}.",
    "Send an e-mail to the {noun} with the highest {column}.",
    "Notify me when the {column} of a {noun} changes.",
    "Cluster the {nouns} by their {column}.",
    "Train a model that predicts the {column} of a {noun}.",
    "Translate the {column} of each {noun} into Spanish.",
    "Recommend a {noun} to me.",
    "Which features are most important for the {column} of a {noun}?",
    "Classify the {nouns} as good or bad.",
    "Search the web for the {column} of the {nouns}.",
    "Find outliers among the {nouns} and explain them.",
    "Delete the {nouns} whose {column} is missing.",
    "Change the {column} of every {noun} to a better one.",
};

constexpr Words knowledge_templates[] = {
    "Why do some {nouns} have another {column} than others?",
    "What does {column} mean for a {noun}?",
    "What is a good {column} for a {noun}?",
    "How can the {column} of a {noun} be improved?",
    "What are the advantages of {nouns} with a high {column}?",
    "How is the {column} of a {noun} determined?",
    "What should I know before I choose a {noun}?",
    "Which {noun} is the best in your opinion?",
    "What is the history of {nouns}?",
    "Is it common that {nouns} share a {column}?",
    "What are the risks when the {column} of a {noun} is wrong?",
    "How do experts judge the {column} of {nouns}?",
};

}  // namespace

std::span<const EntityKind> entity_kinds() { return entity_list; }
std::span<const std::string_view> task_requests() { return task_templates; }
std::span<const std::string_view> knowledge_requests() { return knowledge_templates; }

}  // namespace trustsql::semparse
