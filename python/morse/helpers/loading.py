# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.helpers.loading`."""

from orrery.morse.helpers import create_instance, get_class, load_module_attribute  # noqa: F401
