CREATE TABLE airport(code TEXT PRIMARY KEY, airport_name TEXT, city TEXT, elevation_ft INTEGER);
CREATE TABLE aircraft(reg TEXT PRIMARY KEY, model TEXT, seats INTEGER, year_built INTEGER);
CREATE TABLE flight(flight_no INTEGER PRIMARY KEY, reg TEXT REFERENCES aircraft(reg),
                    origin TEXT REFERENCES airport(code), destination TEXT REFERENCES airport(code),
                    departure_date TEXT, minutes INTEGER);
INSERT INTO airport VALUES ('BGO', 'Flesland', 'Bergen', 170), ('OSL', 'Gardermoen', 'Oslo', 681),
  ('CPH', 'Kastrup', 'Copenhagen', 17);
INSERT INTO aircraft VALUES ('LN-ABC', 'Cessna 172', 4, 1998), ('LN-DEF', 'Piper PA-28', 4, 2007),
  ('LN-GHI', 'Twin Otter', 19, 1979);
INSERT INTO flight VALUES (1, 'LN-ABC', 'BGO', 'OSL', '2026-06-01', 95), (2, 'LN-GHI', 'OSL', 'CPH', '2026-06-02', 140),
  (3, 'LN-ABC', 'OSL', 'BGO', '2026-06-03', 90), (4, 'LN-DEF', 'BGO', 'CPH', '2026-06-05', 205);
