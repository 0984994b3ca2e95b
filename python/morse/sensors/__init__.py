# SPDX-License-Identifier: BSD-3-Clause
"""Sensors of users; MORSE's own are in C."""
