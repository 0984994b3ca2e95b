# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.services`."""

from orrery.morse.services import async_service, do_service_registration, interruptible, noninterruptible, service  # noqa: F401
