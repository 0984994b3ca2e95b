# SPDX-License-Identifier: BSD-3-Clause
dist_orrerydata_DATA = %D%/scene.schema.json
dist_doc_DATA = \
  %D%/batch.md \
  %D%/builder.md \
  %D%/channels.md \
  %D%/differences.md \
  %D%/hybrid.md \
  %D%/morse-components.md \
  %D%/noise.md \
  %D%/order.md \
  %D%/plugins.md \
  %D%/performance.md \
  %D%/physics.md \
  %D%/python.md \
  %D%/rays.md \
  %D%/scheduler.md \
  %D%/scripts.md \
  %D%/workers.md
