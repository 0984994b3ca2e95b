# SPDX-License-Identifier: BSD-3-Clause
builder_tests = \
  %D%/test_as_morse.py \
  %D%/test_builder.py \
  %D%/test_catalogue.py \
  %D%/test_components.py \
  %D%/test_environment.py \
  %D%/test_errors.py \
  %D%/test_guide.py \
  %D%/test_places.py \
  %D%/test_read_back.py \
  %D%/test_rows.py \
  %D%/test_running.py \
  %D%/test_library.py \
  %D%/test_log_levels.py \
  %D%/test_schema.py \
  %D%/test_scripts.py \
  %D%/test_wrong_properties.py \
  %D%/test_wrong_calls.py

TESTS += $(builder_tests)
EXTRA_DIST += $(builder_tests) %D%/inside.py %D%/morse_api.txt %D%/plugins.json %D%/rows.txt %D%/support.py

LONG_TESTS += %D%/test_morse_scripts.py %D%/test_types.py %D%/test_wrong_options.py
EXTRA_DIST += %D%/test_morse_scripts.py %D%/test_types.py %D%/test_wrong_options.py
