/* SPDX-License-Identifier: BSD-3-Clause */
/* The program `orrery`; all of its code is in a shared object that Python can load, too. */
#include "commands.h"
#include "support/cli.h"

int
main (int argc, char **argv)
{
  return orrery_cli_main (argc, argv);
}
