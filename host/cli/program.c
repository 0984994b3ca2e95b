/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"

int
main (int argc, char **argv)
{
  return orrery_cli_main (argc, argv);
}
