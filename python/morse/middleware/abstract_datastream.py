# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.middleware.abstract_datastream`."""

from orrery.morse.plugs import AbstractDatastream  # noqa: F401
