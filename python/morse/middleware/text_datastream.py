# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.middleware.text_datastream`."""

from orrery.morse.plugs import BasePublisher  # noqa: F401
