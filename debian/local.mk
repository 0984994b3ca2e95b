# SPDX-License-Identifier: BSD-3-Clause
# What packages of Debian are made by; `./bootstrap deb` does so in a copy of the tree.
EXTRA_DIST += \
  %D%/changelog \
  %D%/control \
  %D%/copyright \
  %D%/gir1.2-orrery-1.install \
  %D%/liborrery-1-0.install \
  %D%/liborrery-1-0.symbols \
  %D%/liborrery-1-dev.install \
  %D%/orrery-doc.doc-base \
  %D%/orrery-doc.install \
  %D%/orrery-doc.links \
  %D%/orrery-middleware-mqtt.install \
  %D%/orrery-middleware-ros2.install \
  %D%/orrery-middleware-web.install \
  %D%/orrery-plugins-extra.install \
  %D%/orrery-plugins.install \
  %D%/orrery.install \
  %D%/python3-orrery.install \
  %D%/rules \
  %D%/source/format \
  %D%/source/lintian-overrides \
  %D%/source/options \
  %D%/tests/build-a-plugin \
  %D%/tests/control \
  %D%/tests/help-at-hand \
  %D%/tests/import-in-python \
  %D%/tests/read-a-stream \
  %D%/tests/run-a-scene
