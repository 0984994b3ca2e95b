# SPDX-License-Identifier: BSD-3-Clause
"""What orrery.gym uses of Stable-Baselines3 2.4, as its documents describe it."""

__version__ = "2.4.0"
