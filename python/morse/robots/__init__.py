# SPDX-License-Identifier: BSD-3-Clause
"""Robots of users; MORSE's own are in C."""
