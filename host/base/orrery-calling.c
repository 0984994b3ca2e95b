/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds, for each thread, which function of which plugin the host is calling. */
#include "base/orrery-calling-private.h"

__thread OrreryCalling orrery_calling;
guint64 orrery_calling_tick;
