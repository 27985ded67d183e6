# The lexicon (src/link/lexicon): WordNet's files, where they are installed, become tables that are compiled into the library.

set(TRUSTSQL_WORDNET_DIR /usr/share/wordnet CACHE PATH "The folder of WordNet's database files (Debian's wordnet-base); empty: a build without synonyms")

set(wordnet_files data.noun data.verb data.adj index.noun index.verb index.adj noun.exc verb.exc adj.exc cntlist.rev)
set(wordnet_sources)
set(wordnet_folder "${TRUSTSQL_WORDNET_DIR}")
foreach(name IN LISTS wordnet_files)
  if(NOT EXISTS "${TRUSTSQL_WORDNET_DIR}/${name}")
    set(wordnet_folder "")
  endif()
  list(APPEND wordnet_sources "${TRUSTSQL_WORDNET_DIR}/${name}")
endforeach()
if(NOT wordnet_folder)
  message(STATUS "WordNet not found in '${TRUSTSQL_WORDNET_DIR}': the embedded embedding knows no synonyms")
  set(wordnet_sources)
endif()

# Runs while building, so it is compiled with few of the flags of what it serves.
add_executable(trustsql_make_lexicon src/link/lexicon/generator/make_lexicon.cpp)
target_include_directories(trustsql_make_lexicon PRIVATE ${PROJECT_SOURCE_DIR}/src)

set(lexicon_table ${PROJECT_BINARY_DIR}/lexicon_table.cpp)
add_custom_command(OUTPUT ${lexicon_table} COMMAND trustsql_make_lexicon "${wordnet_folder}" ${lexicon_table}
                   DEPENDS trustsql_make_lexicon ${wordnet_sources} VERBATIM COMMENT "Making the lexicon")
set_source_files_properties(${lexicon_table} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
