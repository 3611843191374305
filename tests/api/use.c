/* SPDX-License-Identifier: Apache-2.0 */
/* A C program that does with the header what it promises. */
#include <math.h>
#include <pthread.h>

#include "support.h"

static void check_line(swell_run* run, double t) {
  const size_t places = (size_t)(count_of(run, SWELL_ELEMENTS) * count_of(run, SWELL_NODES_PER_ELEMENT));
  double* x = malloc(2 * places * sizeof(double));
  double* u = malloc(places * sizeof(double));
  CLAIM(swell_run_read_nodes(run, x, 2 * places) == SWELL_OK);
  CLAIM(swell_run_read_field(run, "u", u, places) == SWELL_OK);
  for (size_t i = 0; i < places; ++i) CLAIM(fabs(u[i] - line_at(x[2 * i], x[2 * i + 1], t)) < rounding);
  free(x);
  free(u);
}

static void a_run_is_advanced_and_read(void) {
  swell_run* run = line_run();
  CLAIM(count_of(run, SWELL_DIMENSIONS) == 2);
  CLAIM(count_of(run, SWELL_ELEMENTS) == 8);          /* two triangles in each of four cells */
  CLAIM(count_of(run, SWELL_NODES_PER_ELEMENT) == 6); /* order 2: 3 * 4 / 2 */
  CLAIM(count_of(run, SWELL_FIELDS) == 1 && count_of(run, SWELL_ORDER) == 2);
  CLAIM(strcmp(swell_run_field_name(run, 0), "u") == 0);
  CLAIM(swell_run_field_name(run, 1) == NULL && strstr(swell_message(), "no field 1") != NULL);
  CLAIM(number_of(run, SWELL_TIME) == 0 && number_of(run, SWELL_END) == 0.5);
  CLAIM(number_of(run, SWELL_TIME_STEP) > 0);
  check_line(run, 0);

  CLAIM(swell_run_advance(run, 0.125) == SWELL_OK);
  CLAIM(number_of(run, SWELL_TIME) == 0.125);
  check_line(run, 0.125);
  const int64_t before = count_of(run, SWELL_STEPS);
  CLAIM(swell_run_step(run, 3) == SWELL_OK);
  CLAIM(count_of(run, SWELL_STEPS) == before + 3);
  check_line(run, number_of(run, SWELL_TIME));
  CLAIM(swell_run_finish(run) == SWELL_OK);
  CLAIM(number_of(run, SWELL_TIME) == 0.5);
  check_line(run, 0.5);

  double norms[3], value;
  CLAIM(swell_run_read_errors(run, "u", norms) == SWELL_OK);
  CLAIM(norms[0] < rounding && norms[1] < rounding && norms[2] < rounding && norms[1] > 0);
  const double point[2] = {0.7, 0.2};
  CLAIM(swell_run_read_value(run, "u", point, &value) == SWELL_OK);
  CLAIM(fabs(value - line_at(0.7, 0.2, 0.5)) < rounding);
  /* The integral of u^2 / 2 over the square, with u = x + 2 y - 1: (1/3 + 4/3 + 1 + 1 - 1 - 2) / 2. */
  CLAIM(fabs(number_of(run, SWELL_ENERGY) - 1.0 / 3) < rounding);
  swell_run_free(run);
}

static void a_receiver_keeps_its_signal(void) {
  swell_run* run = line_run();
  CLAIM(count_of(run, SWELL_RECEIVERS) == 1);
  CLAIM(strcmp(swell_run_receiver_name(run, 0), "middle") == 0);
  CLAIM(swell_run_finish(run) == SWELL_OK);
  int64_t rows, columns;
  CLAIM(swell_run_signal_size(run, 0, &rows, &columns) == SWELL_OK);
  CLAIM(columns == 2 && rows == count_of(run, SWELL_STEPS) + 1);
  double* signal = malloc((size_t)(rows * columns) * sizeof(double));
  CLAIM(swell_run_read_signal(run, 0, signal, (size_t)(rows * columns)) == SWELL_OK);
  for (int64_t i = 0; i < rows; ++i) CLAIM(fabs(signal[2 * i + 1] - line_at(0.4, 0.3, signal[2 * i])) < rounding);
  CLAIM(signal[0] == 0 && signal[2 * rows - 2] == 0.5);
  free(signal);
  swell_run_free(run);
}

static void a_field_is_set(void) {
  swell_run* run = line_run();
  const size_t places = 48;
  double given[48], u[48];
  for (size_t i = 0; i < places; ++i) given[i] = 1.0 / (1.0 + (double)i);
  CLAIM(swell_run_write_field(run, "u", given, places) == SWELL_OK);
  CLAIM(swell_run_read_field(run, "u", u, places) == SWELL_OK);
  for (size_t i = 0; i < places; ++i) CLAIM(u[i] == given[i]);
  CLAIM(swell_run_write_field(run, "u", given, 47) == SWELL_WRONG_INPUT);
  given[5] = NAN;
  CLAIM(swell_run_write_field(run, "u", given, places) == SWELL_WRONG_INPUT);
  swell_run_free(run);
}

struct seen {
  int calls, refused;
  double last;
};

static int look(swell_run* run, void* data) {
  struct seen* seen = data;
  seen->last = number_of(run, SWELL_TIME);
  seen->refused += swell_run_step(run, 1) == SWELL_WRONG_INPUT;
  return ++seen->calls == 2;
}

static void a_callback_looks_and_stops(void) {
  swell_run* run = line_run();
  struct seen seen = {0, 0, 0};
  CLAIM(swell_run_set_callback(run, 0, look, &seen) == SWELL_WRONG_INPUT);
  CLAIM(swell_run_set_callback(run, 2, look, &seen) == SWELL_OK);
  CLAIM(swell_run_finish(run) == SWELL_STOPPED);
  CLAIM(seen.calls == 2 && seen.refused == 2 && count_of(run, SWELL_STEPS) == 4);
  CLAIM(seen.last == number_of(run, SWELL_TIME) && seen.last < 0.5);
  CLAIM(swell_run_set_callback(run, 0, NULL, NULL) == SWELL_OK);
  CLAIM(swell_run_finish(run) == SWELL_OK);
  check_line(run, 0.5);
  swell_run_free(run);
}

static void what_is_wrong_is_said(void) {
  swell_case* the_case = (swell_case*)1;
  swell_run* run = NULL;
  CLAIM(swell_case_from_text("[mesh\n", NULL, NULL, &the_case) == SWELL_WRONG_INPUT);
  CLAIM(the_case == NULL && strstr(swell_message(), "line 1") != NULL);
  CLAIM(swell_case_from_file("no-such.toml", &the_case) == SWELL_WRONG_INPUT);
  CLAIM(strstr(swell_message(), "no-such.toml") != NULL);
  CLAIM(swell_case_from_file(NULL, &the_case) == SWELL_WRONG_INPUT);
  CLAIM(swell_case_from_text(line_case, NULL, NULL, NULL) == SWELL_WRONG_INPUT);
  CLAIM(swell_run_advance(NULL, 1) == SWELL_WRONG_INPUT && strstr(swell_message(), "null") != NULL);

  CLAIM(swell_case_from_text(line_case, NULL, NULL, &the_case) == SWELL_OK && swell_message()[0] == 0);
  CLAIM(swell_case_set(the_case, "model.ordre", "3") == SWELL_OK); /* found when a run is made */
  CLAIM(swell_run_create(the_case, &run) == SWELL_WRONG_INPUT && run == NULL);
  CLAIM(strstr(swell_message(), "ordre") != NULL && strstr(swell_message(), "order") != NULL);
  swell_case_free(the_case);

  run = line_run();
  double values[48];
  CLAIM(swell_run_read_field(run, "u", values, 47) == SWELL_WRONG_INPUT && strstr(swell_message(), "48") != NULL);
  CLAIM(swell_run_read_field(run, "v", values, 48) == SWELL_WRONG_INPUT && strstr(swell_message(), "'v'") != NULL);
  CLAIM(swell_run_advance(run, NAN) == SWELL_WRONG_INPUT);
  CLAIM(swell_run_step(run, -1) == SWELL_WRONG_INPUT);
  CLAIM(swell_run_step(run, 2) == SWELL_OK);
  CLAIM(swell_run_advance(run, 0) == SWELL_WRONG_INPUT && strstr(swell_message(), "back") != NULL);
  CLAIM(swell_run_finish(run) == SWELL_OK);
  check_line(run, 0.5);
  swell_run_free(run);
}

/* A step far above the stable one. */
static void a_run_that_blows_up_says_so(void) {
  swell_case* the_case;
  swell_run* run;
  CLAIM(swell_case_from_text(line_case, NULL, NULL, &the_case) == SWELL_OK);
  CLAIM(swell_case_set(the_case, "time.dt", "1.0") == SWELL_OK);
  CLAIM(swell_case_set(the_case, "time.end", "3000") == SWELL_OK);
  CLAIM(swell_run_create(the_case, &run) == SWELL_OK);
  CLAIM(swell_run_finish(run) == SWELL_RUN_FAILED && strstr(swell_message(), "blew up") != NULL);
  swell_run_free(run);
  swell_case_free(the_case);
}

static void* finish_one(void* data) {
  double* values = data;
  swell_run* run = line_run();
  CLAIM(swell_run_finish(run) == SWELL_OK);
  CLAIM(swell_run_read_field(run, "u", values, 48) == SWELL_OK);
  CLAIM(swell_run_read_field(NULL, "u", values, 48) == SWELL_WRONG_INPUT); /* a message of this thread alone */
  swell_run_free(run);
  return NULL;
}

static void threads_have_runs_of_their_own(void) {
  double alone[48], values[3][48];
  pthread_t threads[3];
  finish_one(alone);
  swell_api_version();
  CLAIM(swell_case_from_text("", NULL, NULL, NULL) == SWELL_WRONG_INPUT);
  const char* mine = swell_message();
  char kept[200];
  snprintf(kept, sizeof kept, "%s", mine);
  for (int i = 0; i < 3; ++i) CLAIM(pthread_create(&threads[i], NULL, finish_one, values[i]) == 0);
  for (int i = 0; i < 3; ++i) CLAIM(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < 3; ++i) CLAIM(memcmp(values[i], alone, sizeof alone) == 0);
  CLAIM(strcmp(swell_message(), kept) == 0);
}

int main(void) {
  CLAIM(swell_api_version() == SWELL_API_VERSION);
  a_run_is_advanced_and_read();
  a_receiver_keeps_its_signal();
  a_field_is_set();
  a_callback_looks_and_stops();
  what_is_wrong_is_said();
  a_run_that_blows_up_says_so();
  threads_have_runs_of_their_own();
  puts("The header holds what it promises.");
  return 0;
}
