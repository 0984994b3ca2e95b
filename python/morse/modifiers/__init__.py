# SPDX-License-Identifier: BSD-3-Clause
"""What modifiers derive from."""
