/* SPDX-License-Identifier: Apache-2.0 */
/* Shared parts of the C programs that test the header: claims that end the program, and a case whose answer is a straight
 * line. */
#ifndef SWELL_TESTS_API_SUPPORT_H
#define SWELL_TESTS_API_SUPPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <swell.h>

#define CLAIM(holds)                                                                               \
  do {                                                                                             \
    if (!(holds)) {                                                                                \
      fprintf(stderr, "%s:%d: %s does not hold; %s\n", __FILE__, __LINE__, #holds, swell_message()); \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* u = x + 2 y moves along (1, 1/2) and is x + 2 y - 2 t: a polynomial of degree 1 in space and time, which elements of order 2
   and Runge-Kutta steps carry without an error. */
static const char line_case[] =
    "[mesh]\n"
    "box = { low = [0, 0], high = [1, 1], cells = [2, 2] }\n"
    "[model]\nname = \"advection\"\norder = 2\n"
    "[material]\nax = 1\nay = 0.5\n"
    "[boundary]\nxmin = \"exact\"\nxmax = \"exact\"\nymin = \"exact\"\nymax = \"exact\"\n"
    "[initial]\nu = \"x + 2*y\"\n"
    "[exact]\nu = \"x + 2*y - 2*t\"\n"
    "[[receiver]]\nname = \"middle\"\nat = [0.4, 0.3]\n"
    "[time]\nend = 0.5\n"
    "[device]\nbackend = \"cpu:1\"\n";

static inline double line_at(double x, double y, double t) { return x + 2 * y - 2 * t; }
/* Values of about 3, some hundred steps: far above what rounding makes of them, far below any error of a method. */
static const double rounding = 1e-12;

static inline swell_run* line_run(void) {
  swell_case* the_case = NULL;
  swell_run* run = NULL;
  CLAIM(swell_case_from_text(line_case, "line.toml", NULL, &the_case) == SWELL_OK);
  CLAIM(swell_run_create(the_case, &run) == SWELL_OK);
  swell_case_free(the_case);
  return run;
}

static inline int64_t count_of(swell_run* run, int what) {
  int64_t value = -1;
  CLAIM(swell_run_count(run, what, &value) == SWELL_OK);
  return value;
}

static inline double number_of(swell_run* run, int what) {
  double value = -1;
  CLAIM(swell_run_number(run, what, &value) == SWELL_OK);
  return value;
}

#endif
