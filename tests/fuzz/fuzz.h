/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A harness is one file fuzz-NAME.c with this function. replay.c calls it with the files of
 * corpus/NAME (make check); libFuzzer calls it with what it makes of them (make check-long).
 * A comment `sources: DIR...` names the folders and files that it is built from.
 */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
