# SPDX-License-Identifier: BSD-3-Clause
# Classes and environments of our own: robots as data, one line each.
JSON_CLASSES += $(PLUGINTREE)/orrery/actuators/gripper.json
JSON_CLASSES += $(PLUGINTREE)/orrery/actuators/kuka_lwr.json
JSON_CLASSES += $(PLUGINTREE)/orrery/actuators/ptu.json
JSON_CLASSES += $(PLUGINTREE)/orrery/environments/empty.json
JSON_CLASSES += $(PLUGINTREE)/orrery/environments/indoors-1/boxes.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/atrv.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/b21.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/fakerobot.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/human.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/hummer.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/jido.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/morsy.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/patrolbot.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/pioneer3dx.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/quadrotor.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/quadrotor_dynamic.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/rmax.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/segwayrmp400.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/submarine.json
JSON_CLASSES += $(PLUGINTREE)/orrery/robots/victim.json
JSON_CLASSES += $(PLUGINTREE)/orrery/sensors/collision.json

EXTRA_DIST += $(JSON_CLASSES:$(PLUGINTREE)/%=data/%)
