# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.helpers.morse_logging`."""

from orrery.morse.helpers import ENDSECTION, SECTION  # noqa: F401
