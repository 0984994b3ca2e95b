# SPDX-License-Identifier: BSD-3-Clause
# The long tier: what takes minutes, or a build of its own.
long_scripts =
long_scripts += %D%/storm.sh

LONG_TESTS += $(long_scripts)
