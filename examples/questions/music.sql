CREATE TABLE artist(artist_id INTEGER PRIMARY KEY, name TEXT, country TEXT, formed INTEGER);
CREATE TABLE album(album_id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER REFERENCES artist, release_year INTEGER);
CREATE TABLE track(track_id INTEGER PRIMARY KEY, title TEXT, album_id INTEGER REFERENCES album, genre TEXT,
                   seconds INTEGER);
INSERT INTO artist VALUES (1, 'The Larks', 'Ireland', 1999), (2, 'Mont Blanc', 'France', 2011),
  (3, 'Stille Post', 'Germany', 2005);
INSERT INTO album VALUES (1, 'Morning', 1, 2003), (2, 'Evening', 1, 2008), (3, 'Glacier', 2, 2015),
  (4, 'Neuland', 3, 2010);
INSERT INTO track VALUES (1, 'Dew', 1, 'folk', 201), (2, 'Fog', 1, 'folk', 187), (3, 'Dusk', 2, 'rock', 254),
  (4, 'Crevasse', 3, 'electronic', 412), (5, 'Moraine', 3, 'electronic', 305), (6, 'Anfang', 4, 'rock', 233);
