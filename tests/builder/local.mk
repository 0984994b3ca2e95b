# SPDX-License-Identifier: BSD-3-Clause
builder_tests = \
  %D%/test_builder.py \
  %D%/test_components.py \
  %D%/test_errors.py \
  %D%/test_guide.py \
  %D%/test_schema.py

TESTS += $(builder_tests)
# A library with sanitizers cannot be loaded into a Python without.
if !SANITIZED
TESTS += %D%/test_read_back.py
endif
EXTRA_DIST += $(builder_tests) %D%/plugins.json %D%/support.py %D%/test_read_back.py
