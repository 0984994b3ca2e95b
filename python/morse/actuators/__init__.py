# SPDX-License-Identifier: BSD-3-Clause
"""Actuators of users; MORSE's own are in C."""
