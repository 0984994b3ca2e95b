# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/drive.py %D%/first_scene.py
