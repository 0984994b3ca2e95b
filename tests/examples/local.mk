# SPDX-License-Identifier: BSD-3-Clause
examples_tests =
examples_tests += %D%/test_camera.py
examples_tests += %D%/test_depot.py
examples_tests += %D%/test_cameras.py
examples_tests += %D%/test_embed.py
examples_tests += %D%/test_faulty_sensors.py
examples_tests += %D%/test_lasers.py
examples_tests += %D%/test_patrol.py
examples_tests += %D%/test_quadrotor.py
examples_tests += %D%/test_robots.py
examples_tests += %D%/test_rounds.py
examples_tests += %D%/test_tutorials.py

TESTS += $(examples_tests)
EXTRA_DIST += $(examples_tests)
