# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.request_manager`."""

from orrery.morse.errors import *  # noqa: F401,F403
from orrery.morse.requests import RequestManager  # noqa: F401
