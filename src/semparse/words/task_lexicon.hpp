// The words by which a request shows that it wants something else than data: a task that no query does, knowledge that
// no database holds, or mere conversation.
//
// These are rules of general English, kept as data. They come from what the words mean, not from the questions of a
// data set. A phrase is written in base forms, with single spaces between its words.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace trustsql::semparse {

// Where a phrase means what the entry says.
enum class PhrasePlace : std::uint8_t {
  command,   // as the verb of a request: at its start, after "please" or "can you", or after "and" before an object
  anywhere,  // unless the words are a name or a value of the database
  opening,   // at the start of the question
  whole,     // as the whole question
};

struct PhraseEntry {
  std::string_view phrase;
  PhrasePlace place;
  std::string_view what;  // what is wanted, for people: "a forecast"
};

// Tasks beyond reading data: TrustSQL's non-sql (section 2.2 there lists prediction, visualisation, web search ...).
std::span<const PhraseEntry> task_phrases();

// Reasons, advice, opinions, definitions, instructions: TrustSQL's ext-know.
std::span<const PhraseEntry> knowledge_phrases();

// Greetings, thanks, and talk about the speakers.
std::span<const PhraseEntry> small_talk_phrases();

// Words that stand before a command and change nothing: "please", "can you", "i want you to". Longer ones first.
std::span<const std::string_view> polite_openings();

// The words with which a question or request can begin, apart from prepositions; a text that begins with another word
// and has a finite verb is a statement. Base forms, sorted.
std::span<const std::string_view> request_verbs();

}  // namespace trustsql::semparse
