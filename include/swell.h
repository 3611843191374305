/* SPDX-License-Identifier: Apache-2.0 */
/* Swell as a library: a case is read, a run is made of it, advanced piece by piece and asked for its fields. Plain C, for any
   language that can call C; docs/library.md shows it at work, and swell.f90 beside this file says it in Fortran.

   Every function that can fail returns a code: SWELL_OK, SWELL_WRONG_INPUT (something given is wrong; nothing has changed),
   SWELL_RUN_FAILED (blow-up, device lost, out of memory) or SWELL_STOPPED (a callback asked for it). swell_message() then has
   one sentence. Nothing is thrown, aborted, printed or written to a disk, but for compiled kernels in their cache folder.

   Handles may be used from any thread; calls on one handle wait for each other, calls on different ones do not. A handle is
   freed once, when no other call is at it. */
#ifndef SWELL_H
#define SWELL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows with every addition; functions keep their form and meaning within one major number of the shared library. */
#define SWELL_API_VERSION 1

#define SWELL_OK 0
#define SWELL_STOPPED 1
#define SWELL_WRONG_INPUT 2
#define SWELL_RUN_FAILED 3

/* Counts that swell_run_count() returns. */
#define SWELL_DIMENSIONS 1        /* of the mesh: 1 to 3 */
#define SWELL_ELEMENTS 2
#define SWELL_NODES_PER_ELEMENT 3
#define SWELL_FIELDS 4
#define SWELL_RECEIVERS 5
#define SWELL_STEPS 6             /* made so far */
#define SWELL_ORDER 7             /* of the elements */

/* Numbers that swell_run_number() returns. */
#define SWELL_TIME 1              /* reached so far */
#define SWELL_TIME_STEP 2         /* the longest that is taken; 0 for a problem at rest */
#define SWELL_END 3               /* of the case */
#define SWELL_ENERGY 4            /* heat: the stored heat */

typedef struct swell_case swell_case;
typedef struct swell_run swell_run;

/* SWELL_API_VERSION of the library at work, and its version in words. */
int swell_api_version(void);
const char* swell_version(void);
/* Why the last call of this thread failed, in one sentence; "" where it did not. Lasts until the next call of the thread. */
const char* swell_message(void);

/* A case from a file, or from a text whose file names are looked up in `folder` (NULL: the current one). `name` stands for the
   text in messages (NULL: "the case"). Only read here; a wrong key is found when a run is made. */
int swell_case_from_file(const char* file, swell_case** out);
int swell_case_from_text(const char* text, const char* name, const char* folder, swell_case** out);
/* Sets a key as -D does: "model.order" to "7", "mesh.box.cells" to "[8, 8]"; a bare word is taken as text. */
int swell_case_set(swell_case* the_case, const char* key, const char* value);
/* The text of a model of your own, in place of model.name and model.file. It is code, and is compiled and run. */
int swell_case_set_model(swell_case* the_case, const char* text);
void swell_case_free(swell_case* the_case);

/* Sets the case up: mesh, kernels, initial state. The case may be freed or changed then. */
int swell_run_create(const swell_case* the_case, swell_run** out);
void swell_run_free(swell_run* run);
/* Messages about the case and the run, a line each: warnings, and which outputs of the case are left out. The text lasts until the
   next call of the thread. */
const char* swell_run_said(swell_run* run);

/* To a time, by a number of steps, or to the end of the case. The steps are those of `swell run`. Waves reach the time exactly;
   heat, whose step the case gives, with the first step at or behind it. A problem at rest is solved. */
int swell_run_advance(swell_run* run, double time);
int swell_run_step(swell_run* run, int64_t count);
int swell_run_finish(swell_run* run);
/* Called after every so many steps, on the thread that advances the run; what is not 0 stops the run there, and the call that
   advanced it returns SWELL_STOPPED. It may read from the run, not advance or change it. NULL: none. */
typedef int (*swell_callback)(swell_run* run, void* data);
int swell_run_set_callback(swell_run* run, int64_t every, swell_callback callback, void* data);

int swell_run_count(swell_run* run, int what, int64_t* value);
int swell_run_number(swell_run* run, int what, double* value);
/* Names last as long as the run; NULL, with a message, where the number is too large. */
const char* swell_run_field_name(swell_run* run, int64_t number);
const char* swell_run_receiver_name(swell_run* run, int64_t number);

/* Into the caller's memory, `length` doubles that must be as many as there are: nodes as [element][node][dimension], a field as
   [element][node]. */
int swell_run_read_nodes(swell_run* run, double* nodes, size_t length);
int swell_run_read_field(swell_run* run, const char* field, double* values, size_t length);
int swell_run_write_field(swell_run* run, const char* field, const double* values, size_t length);
/* A field at a point of as many numbers as the mesh has dimensions. */
int swell_run_read_value(swell_run* run, const char* field, const double* point, double* value);
/* Against [exact] of the case, by quadrature: norms L1, L2 and the largest; field NULL: L2 of all fields in norms[1], else 0. */
int swell_run_read_errors(swell_run* run, const char* field, double norms[3]);

/* A receiver's signal as [row][column]: time, then its fields. Behind the receivers of the case come its surfaces and its probes, with
   the names "surfaces/NAME" and "probes/NAME" and the columns of their files. */
int swell_run_signal_size(swell_run* run, int64_t receiver, int64_t* rows, int64_t* columns);
int swell_run_read_signal(swell_run* run, int64_t receiver, double* values, size_t length);

#ifdef __cplusplus
}
#endif

#endif
