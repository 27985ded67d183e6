// The lines that the benchmarks score, as prepare_lines.py writes them: three texts each (path of a database, gold
// query, prediction), each terminated by a NUL byte.
#ifndef TRUSTSQL_BENCH_LINES_H
#define TRUSTSQL_BENCH_LINES_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Line {
  const char* database;
  const char* gold;
  const char* prediction;
} Line;

typedef struct Lines {
  Line* items;
  size_t count;
} Lines;

// Reads the file, or exits with a message. Nothing is freed: the lines are needed until the program ends.
static Lines read_lines(const char* path) {
  Lines lines = {NULL, 0};
  FILE* file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  const size_t size = (size_t)ftell(file);
  rewind(file);
  char* bytes = (char*)malloc(size + 1);
  if (bytes == NULL || fread(bytes, 1, size, file) != size) exit(1);
  fclose(file);
  bytes[size] = '\0';
  size_t texts = 0;
  for (size_t i = 0; i < size; ++i) texts += bytes[i] == '\0';
  lines.items = (Line*)calloc(texts / 3 + 1, sizeof(Line));
  if (lines.items == NULL) exit(1);
  for (char* next = bytes; next < bytes + size; ++lines.count) {
    Line* line = &lines.items[lines.count];
    line->database = next;
    line->gold = line->database + strlen(line->database) + 1;
    line->prediction = line->gold + strlen(line->gold) + 1;
    next = (char*)line->prediction + strlen(line->prediction) + 1;
  }
  return lines;
}

// Wall clock, and processor time of all threads of this process: the latter says more on a busy machine.
typedef struct Times {
  double wall;
  double cpu;
} Times;

static Times times_now(void) {
  struct timespec wall, cpu;
  clock_gettime(CLOCK_MONOTONIC, &wall);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  const Times now = {(double)wall.tv_sec + 1e-9 * (double)wall.tv_nsec,
                     (double)cpu.tv_sec + 1e-9 * (double)cpu.tv_nsec};
  return now;
}

// Keeps the best wall time and the best processor time since `start`.
static void keep_best(Times* best, Times start) {
  const Times now = times_now();
  if (now.wall - start.wall < best->wall) best->wall = now.wall - start.wall;
  if (now.cpu - start.cpu < best->cpu) best->cpu = now.cpu - start.cpu;
}

#endif
