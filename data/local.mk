# SPDX-License-Identifier: BSD-3-Clause
# Classes and environments of our own: robots as data, one line each.
JSON_CLASSES += $(PLUGINTREE)/orrery/environments/empty.json
JSON_CLASSES += $(PLUGINTREE)/orrery/environments/indoors-1/boxes.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/atrv.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/morsy.json

EXTRA_DIST += $(JSON_CLASSES:$(PLUGINTREE)/%=data/%)
