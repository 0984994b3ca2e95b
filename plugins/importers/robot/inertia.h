/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* R I R^T: moments that a file has in a frame of their own, in that of the body.
 * @parts: kg m2: xx, yy, zz, xy, xz, yz */
void inertia_turn (const double parts[6], const OrreryQuat *turned, OrreryInertial *out);
