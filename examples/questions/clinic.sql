CREATE TABLE doctor(doctor_no INTEGER PRIMARY KEY, doctor_name TEXT, speciality TEXT, years_of_service INTEGER);
CREATE TABLE patient(patient_no INTEGER PRIMARY KEY, patient_name TEXT, gender TEXT, weight_kg REAL, blood_type TEXT);
CREATE TABLE appointment(appointment_no INTEGER PRIMARY KEY, patient_no INTEGER REFERENCES patient,
                         doctor_no INTEGER REFERENCES doctor, appointment_date TEXT, fee REAL);
INSERT INTO doctor VALUES (1, 'Dr Amin', 'cardiology', 12), (2, 'Dr Boyle', 'dermatology', 4),
  (3, 'Dr Cruz', 'cardiology', 20);
INSERT INTO patient VALUES (1, 'Paul Reed', 'male', 82.5, 'A+'), (2, 'Grace Lim', 'female', 58, 'O-'),
  (3, 'Nils Holm', 'male', 91, 'O-'), (4, 'Sara Blum', 'female', 66.2, 'B+');
INSERT INTO appointment VALUES (1, 1, 1, '2026-04-02', 120), (2, 2, 1, '2026-04-03', 120), (3, 3, 2, '2026-04-03', 80),
  (4, 1, 3, '2026-05-11', 150), (5, 4, 1, '2026-05-20', 120);
