# SPDX-License-Identifier: BSD-3-Clause
"""What components use."""
