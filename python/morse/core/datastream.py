# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.datastream`."""

from orrery.morse.plugs import DatastreamManager  # noqa: F401
