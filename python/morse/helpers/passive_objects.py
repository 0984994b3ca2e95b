# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.helpers.passive_objects`."""

from orrery.morse.helpers import active_objects, graspable_objects, label, obj_from_label  # noqa: F401
from orrery.morse.zones import details  # noqa: F401
