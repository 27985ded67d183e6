CREATE TABLE Teacher(TeacherID INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT, Salary INTEGER);
CREATE TABLE Class(ClassID INTEGER PRIMARY KEY, Subject TEXT, Room TEXT, TeacherID INTEGER);
CREATE TABLE Student(StudentID INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT, Sex TEXT, Age INTEGER);
CREATE TABLE Grade(StudentID INTEGER, ClassID INTEGER, Points INTEGER, PRIMARY KEY (StudentID, ClassID));
INSERT INTO Teacher VALUES (1, 'Rosa', 'Vega', 52000), (2, 'Tom', 'Birch', 48500), (3, 'Ingrid', 'Dahl', 61000);
INSERT INTO Class VALUES (1, 'Physics', 'B12', 1), (2, 'History', 'A3', 2), (3, 'Chemistry', 'B14', 1),
  (4, 'Art', 'C1', 3);
INSERT INTO Student VALUES (1, 'Lena', 'Fox', 'F', 15), (2, 'Omar', 'Said', 'M', 16), (3, 'Mia', 'Kurz', 'F', 15),
  (4, 'Jon', 'Berg', 'M', 17), (5, 'Zoe', 'Adler', 'F', 16);
INSERT INTO Grade VALUES (1, 1, 88), (1, 2, 74), (2, 1, 65), (3, 1, 92), (3, 3, 81), (4, 4, 70);
