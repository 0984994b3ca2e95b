# SPDX-License-Identifier: BSD-3-Clause
"""What datastreams derive from."""

from orrery.morse.plugs import AbstractDatastream  # noqa: F401
