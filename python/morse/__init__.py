# SPDX-License-Identifier: BSD-3-Clause
"""MORSE's names for components that were written for it; `orrery.morse` has what is behind them."""
