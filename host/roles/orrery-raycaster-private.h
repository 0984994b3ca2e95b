/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-raycaster.h"

/* Whose geometry it answers for; before the first cast. */
void orrery_raycaster_bind (OrreryRaycaster *self, OrreryWorld *world);
/* Builds its geometry, where that is not done, and moves it to where the snapshot has it. */
gboolean orrery_raycaster_prepare (OrreryRaycaster *self, OrrerySnapshot *snapshot, GError **error);
