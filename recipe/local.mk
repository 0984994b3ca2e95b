# SPDX-License-Identifier: BSD-3-Clause
# How others make packages and images.
EXTRA_DIST += %D%/Containerfile %D%/meta.yaml
