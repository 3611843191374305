/* SPDX-License-Identifier: Apache-2.0 */
/* A pulse of sound runs down a duct with a rigid end and comes back: when does a receiver hear it again? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <swell.h>

static const char text[] =
    "[mesh]\n"
    "box = { low = [0, 0], high = [2, 0.25], cells = [16, 2], element = \"quadrilateral\" }\n"
    "[model]\nname = \"acoustics\"\norder = 4\n"
    "[boundary]\nxmin = \"absorbing\"\n"
    "[initial]\n"
    "p  = \"exp(-100*(x - 0.5)^2)\"\n"
    "vx = \"exp(-100*(x - 0.5)^2)\"\n"
    "[[receiver]]\nname = \"ear\"\nat = [1, 0.1]\n"
    "[time]\nend = 3\n";

static void check(int code) {
  if (code == SWELL_OK) return;
  fprintf(stderr, "%s\n", swell_message());
  exit(code);
}

int main(void) {
  swell_case* the_case;
  swell_run* run;
  check(swell_case_from_text(text, "echo", NULL, &the_case));
  check(swell_run_create(the_case, &run));
  swell_case_free(the_case);
  check(swell_run_finish(run));

  int64_t rows, columns;
  check(swell_run_signal_size(run, 0, &rows, &columns));
  double* signal = malloc((size_t)(rows * columns) * sizeof *signal);
  check(swell_run_read_signal(run, 0, signal, (size_t)(rows * columns)));
  double first = 0, again = 0, loud = 0, loud_again = 0;
  for (int64_t i = 0; i < rows; ++i) {
    const double t = signal[i * columns], p = signal[i * columns + 1];
    if (t < 1.5 && p > loud) loud = p, first = t;
    if (t >= 1.5 && p > loud_again) loud_again = p, again = t;
  }
  printf("heard at t = %.2f and, from the end of the duct, at t = %.2f\n", first, again);
  free(signal);
  swell_run_free(run);
  return 0;
}
