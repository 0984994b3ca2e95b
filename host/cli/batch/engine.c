/* SPDX-License-Identifier: BSD-3-Clause */
/* Who does the runs of a batch: --engine. */
#include "batch.h"

#include "../support/cli.h"

#include <string.h>

#define MAX_ADDRESS 300
#define MAX_RANKS 1000000
#define DASK "dask:"

static const struct {
  const char *word;
  BatchEngine engine;
} engines[] = {
  { "local", BATCH_LOCAL },
  { "shared", BATCH_SHARED },
  { "mpi", BATCH_MPI },
  { "slurm", BATCH_SLURM },
};

/* Of Open MPI; MPICH and Intel MPI; MVAPICH2; srun. */
static const struct {
  const char *rank;
  const char *size;
} launchers[] = {
  { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
  { "PMI_RANK", "PMI_SIZE" },
  { "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE" },
  { "SLURM_PROCID", "SLURM_NTASKS" },
};

static gboolean
read_number (const char *name, guint64 most, guint64 *number)
{
  const char *text = g_getenv (name);

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, most, number, NULL);
}

static gboolean
find_rank (BatchOptions *options)
{
  for (guint i = 0; i < G_N_ELEMENTS (launchers); i++)
    if (read_number (launchers[i].rank, MAX_RANKS - 1, &options->rank) &&
        read_number (launchers[i].size, MAX_RANKS, &options->n_ranks) &&
        options->rank < options->n_ranks)
      return TRUE;
  cli_usage ("batch", "--engine mpi is for mpirun or srun, which say in the environment which of "
                      "how many this is (as OMPI_COMM_WORLD_RANK or PMI_RANK)");
  return FALSE;
}

/* It is an argument of a program, and stands in messages. */
static gboolean
check_address (BatchOptions *options)
{
  gsize length = strlen (options->address);
  gboolean good = length > 0 && length <= MAX_ADDRESS;

  for (const char *c = options->address; good && *c != '\0'; c++)
    good = g_ascii_isalnum (*c) || strchr (".:/-_[]%", *c) != NULL;
  if (!good || *options->address == '-') {
    cli_usage ("batch", "--engine dask:ADDRESS: the address of a scheduler, as in "
                        "dask:tcp://192.0.2.1:8786");
    return FALSE;
  }
  return TRUE;
}

static gboolean
read_engine (BatchOptions *options)
{
  const char *text = options->engine_text;

  if (text == NULL || g_str_has_prefix (text, DASK)) {
    options->engine = text != NULL ? BATCH_DASK : BATCH_LOCAL;
    options->address = text != NULL ? text + strlen (DASK) : NULL;
    return text == NULL || check_address (options);
  }
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    if (g_str_equal (text, engines[i].word)) {
      options->engine = engines[i].engine;
      return TRUE;
    }
  cli_usage ("batch", "--engine: '%.40s' is none of local, shared, mpi, slurm, dask:ADDRESS", text);
  return FALSE;
}

gboolean
batch_engine_parse (BatchOptions *options)
{
  options->n_ranks = 1;
  if (!read_engine (options))
    return FALSE;
  if (options->slurm && options->engine_text != NULL && options->engine != BATCH_SLURM) {
    cli_usage ("batch", "--slurm goes with --engine slurm alone");
    return FALSE;
  }
  if (options->slurm)
    options->engine = BATCH_SLURM;
  if (options->only_text != NULL && batch_engine_divides (options)) {
    cli_usage ("batch", "--only is for one command of many: with --engine local or shared");
    return FALSE;
  }
  return options->engine != BATCH_MPI || find_rank (options);
}

gboolean
batch_engine_is_shared (const BatchOptions *options)
{
  return options->engine == BATCH_SHARED || options->engine == BATCH_MPI;
}

gboolean
batch_engine_is_remote (const BatchOptions *options)
{
  return options->engine == BATCH_SLURM || options->engine == BATCH_DASK;
}

gboolean
batch_engine_divides (const BatchOptions *options)
{
  return options->engine == BATCH_MPI || batch_engine_is_remote (options);
}
