// The whole pipeline for the functions in this folder: the method that the options name, with the models that the
// settings name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ext/functions/nl2sql/nl2sql_call.hpp"
#include "ext/options/method_options.hpp"
#include "nl2sql/pipeline.hpp"

namespace trustsql::ext {

// The method that the options or else the setting nl2sql_method name, as modified by the other options. Errors
// (invalid_argument): there is no such method, or the options contradict each other.
Result<nl2sql::Method> method_of(const Session& session, const Options& options);

// The method by which questions are answered: that of method_of(), or EMBEDDED if neither the options nor a setting
// name one and no server of a language model is configured. Errors: those of method_of().
Result<nl2sql::Method> answering_method_of(Session& session, const Options& options);

// The models of the stages, from the settings.
nl2sql::PipelineModels models_of(const QuestionCall& call);

// The corpus of the elements of `catalog` if `method` links, else null. Host thread only. Errors: of
// LinkService::corpus().
Result<std::shared_ptr<const link::Corpus>> corpus_for(const nl2sql::Method& method, Session& session,
                                                       QuestionCall& call,
                                                       const std::shared_ptr<const Catalog>& catalog);

// Runs one question through the pipeline, in the host's thread. Errors: those of method_of(), QuestionCall::open(),
// corpus_for() and the pipeline.
Result<nl2sql::Attempt> ask_question(Session& session, const SharedScope& scope, std::string_view question,
                                     const Options& options);

}  // namespace trustsql::ext
