# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.middleware.socket_datastream`."""

from orrery.morse.plugs import MorseEncoder, SocketPublisher, SocketReader  # noqa: F401
