// Foreign keys that a schema does not declare, inferred from names.
//
//   results.raceId           races.raceId, or races.id       the identifier that is named after its table
//   posts.OwnerUserId        users.Id                        the same behind other words
//   match.home_team_api_id   team.team_api_id                likewise
//   budget.link_to_event     event.event_id                  the table behind words that say "refers to"
//   satscores.cds            schools.CDSCode                 one name is the other and "code", "id", "number" ...
//   laboratory.ID            patient.ID                      only if no other name of the database looks like a key
#pragma once

#include "link/element.hpp"

namespace trustsql::link {

// Connects columns that look like foreign keys with the columns that they seem to refer to, within each database that
// declares no foreign key.
void infer_keys(ElementSet& elements);

}  // namespace trustsql::link
