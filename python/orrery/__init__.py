# SPDX-License-Identifier: BSD-3-Clause
"""Orrery, a headless robot simulator: its Python package."""
