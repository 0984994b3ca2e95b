# SPDX-License-Identifier: BSD-3-Clause
"""Nothing: what MORSE has here runs inside Blender."""
