CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, country TEXT, birth_date TEXT);
CREATE TABLE products(id INTEGER PRIMARY KEY, title TEXT NOT NULL, category TEXT, price REAL, stock INTEGER);
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), order_date TEXT, status TEXT);
CREATE TABLE order_items(order_id INTEGER REFERENCES orders(id), product_id INTEGER REFERENCES products(id),
                         quantity INTEGER, PRIMARY KEY (order_id, product_id));
INSERT INTO customers VALUES (1, 'Ada Moss', 'Leeds', 'England', '1984-03-02'),
  (2, 'Ben Hart', 'Lyon', 'France', '1990-11-21'), (3, 'Chloe Petit', 'Paris', 'France', '1979-07-14'),
  (4, 'Dan Okoro', 'Leeds', 'England', '2001-01-30'), (5, 'Eva Lind', 'Malmo', 'Sweden', '1995-05-05');
INSERT INTO products VALUES (1, 'Desk lamp', 'lighting', 39.9, 12), (2, 'Oak desk', 'furniture', 420, 2),
  (3, 'Chair', 'furniture', 89.5, 0), (4, 'Light bulb', 'lighting', 4.2, 300), (5, 'Rug', 'textiles', 150, 7);
INSERT INTO orders VALUES (1, 1, '2026-01-05', 'paid'), (2, 1, '2026-02-11', 'shipped'), (3, 2, '2026-02-12', 'paid'),
  (4, 3, '2026-03-01', 'cancelled'), (5, 4, '2026-03-09', 'shipped');
INSERT INTO order_items VALUES (1, 1, 2), (1, 4, 10), (2, 2, 1), (3, 3, 4), (4, 5, 1), (5, 4, 6), (5, 1, 1);
