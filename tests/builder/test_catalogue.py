# SPDX-License-Identifier: BSD-3-Clause
"""Every class and method of MORSE's builder: what it does to the scene, or what it says once.

The tables are the rows of MORSE's builder API; a row is a script, and what must be seen of it. They run on the list of
plugins of this directory, which has few, and on that of the build tree, which has classes of its own under MORSE's names.
morse_api.txt says what MORSE has: each line must have a row, and take the arguments that MORSE takes.
"""

import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)

import tap
from inside import Scripts
from support import PLUGINS

BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", os.path.join(HERE, "../../build"))
PROGRAM = os.path.join(BUILD, "orrery")

SOCKET = "morse.middleware.socket_datastream.SocketDatastreamManager"
SERVICES = "morse.middleware.socket_request_manager.SocketRequestManager"
CAMERA = "morse.sensors.video_camera.VideoCamera"

#: Files of no format in particular: the builder looks only whether they are there.
FILES = ("hall.blend", "kit/chair.blend", "arm.urdf", "duck.dae")


def said(words):
    """A notice, once."""
    return lambda result: (result.err.count(words), 1)


def printed(text):
    return lambda result: (result.out, text + "\n")


def at(name, key, value):
    """A key of an object."""
    return lambda result: (result.object(name).get(key), value)


def body_type(wanted):
    """Of a robot; a margin is written where its class has none."""
    return lambda result: (result.object("robot")["body"]["type"], wanted)


def env(key, value):
    return lambda result: (result.environment.get(key), value)


def table(name, value):
    return lambda result: (result.config[name], value)


def has(variable, **wanted):
    """Properties as the script sees them: those of the list of plugins are not written down."""
    names = sorted(wanted)
    script = "print(repr([round(%s.property_value(name), 6) for name in %r]))\n" % (variable, names)
    return script, printed(repr([round(wanted[name], 6) for name in names]))


def refused(code, words):
    return lambda result: ((result.code, words in result.err), (code, True))


def objects(*names):
    return lambda result: ([thing["name"] for thing in result.scene["objects"]], list(names))


R = "robot = ATRV()\n"
P = R + "pose = Pose(); robot.append(pose)\n"
BOX = {"kind": "box", "size": [2.0, 2.0, 2.0], "solid": False}

#: Of every component: name, arguments with their defaults, script, what must be seen.
COMPONENT = [
    ("append", "obj, child=None, level=1", P, at("robot.pose", "classpath", "morse.sensors.pose.Pose")),
    ("close_context", "level=1", "for i in range(2):\n    m = ATRV()\n    AbstractComponent.close_context()", objects("m", "m_001")),
    ("name", None, R + "robot.name = 'scout'", objects("scout")),
    ("location", None, "e = Empty('e'); e.location = (1, 2, 3)", at("e", "position", [1.0, 2.0, 3.0])),
    ("scale", None, "c = Cube('c'); c.scale = (1, 2, 3)", at("c", "shapes", [dict(BOX, size=[2.0, 4.0, 6.0])])),
    ("rotation_euler", None, R + "robot.rotation_euler = (0, 0, 1)", at("robot", "rotation", [0.0, 0.0, 1.0])),
    ("translate", "x=0.0, y=0.0, z=0.0", R + "robot.translate(1); robot.translate(1, z=2)", at("robot", "position", [2.0, 0.0, 2.0])),
    ("rotate", "x=0.0, y=0.0, z=0.0", R + "robot.rotate(z=1); robot.rotate(z=1)", at("robot", "rotation", [0.0, 0.0, 2.0])),
    ("properties", "**kwargs", R + "robot.properties(a=1, b='x')", at("robot", "properties", {"a": 1, "b": "x"})),
    ("property_value", "name", R + "robot.properties(a=1); print(robot.property_value('a'), robot.property_value('b'))", printed("1 None")),
    ("select", "", R + "robot.select()", objects("robot")),
    ("get_child", "name, objects=None, recursive=True", P + "print(robot.get_child('po') is pose)", printed("True")),
    ("add_stream", "datastream, method=None, path=None, classpath=None, direction=None, **kwargs", P + "pose.add_stream('socket')", table("component_datastream", {"robot.pose": [[SOCKET, SOCKET.replace("DatastreamManager", "Publisher"), "OUT", {}]]})),
    ("add_service", "interface, component=None, config=None", P + "pose.add_service('socket')", table("component_service", {"robot.pose": [SERVICES]})),
    ("add_interface", "interface, **kwargs", P + "pose.add_interface('socket')", table("component_service", {"robot.pose": [SERVICES]})),
    ("alter", "modifier_name=None, classpath=None, direction=None, **kwargs", P + "pose.alter('NED')", table("component_modifier", {"robot.pose": [["morse.modifiers.ned.CoordinatesToNED", "OUT", {}]]})),
    ("add_overlay", "datastream, overlay, config=None, **kwargs", P + "pose.add_overlay('socket', 'acme.sonar.Loud')", table("overlays", {SERVICES: {"robot.pose": ["acme.sonar.Loud", {}]}})),
    ("level", "level", R + "odo = Odometry(); odo.level('raw'); robot.append(odo)", at("robot.odo", "level", "raw")),
    ("frequency", "frequency=None, delay=None", P + "pose.frequency(10)", at("robot.pose", "frequency", 10)),
    ("is_morseable", "", R + "print(robot.is_morseable())", printed("True")),
    ("morseable", "calling_module=None", R + "robot.morseable()", objects("robot")),
    ("append_meshes", "objects=None, component=None, prefix=None", R + "robot.append_meshes(['Seat'], 'kit/chair.blend')", lambda result: (result.object("robot.Seat")["import"]["object"], "Seat")),
    ("append_scenes", "component=None", R + "robot.append_scenes('kit/chair.blend')", lambda result: (list(result.object("robot.chair")["import"]), ["file"])),
    ("append_collada", "component=None", R + "robot.append_collada('duck.dae')", lambda result: (os.path.basename(result.object("robot.duck")["import"]["file"]), "duck.dae")),
    ("set_color", "r=0.0, g=0.0, b=0.0", R + "c = Cube('c'); robot.append(c); robot.set_color(1, 0, 0)", at("robot.c", "shapes", [{**BOX, "color": [1.0, 0.0, 0.0]}])),
    ("profile", "", P + "pose.profile(); pose.profile()", said("profile() has no effect: the host measures")),
    ("is_exportable", "", P + "print(pose.is_exportable())", printed("True")),
    ("mark_unexportable", "", P + "pose.mark_unexportable()\npose.add_stream('socket')", refused(65, "nothing to put on a stream")),
    ("children", None, P + "print(robot.children == [pose])", printed("True")),
    ("basename", None, P + "print(pose.basename)", printed("pose")),
    ("_bpy_object", None, R + "robot._bpy_object.game.lock_location_z = True", at("robot", "body", {"lock_position": [False, False, True]})),
]

ROBOT = [
    ("set_friction", "friction=0.0", R + "robot.set_friction(0.3)", at("robot", "body", {"friction": 0.3})),
    ("set_mass", "mass", R + "robot.set_mass(3)", at("robot", "body", {"mass": 3})),
    ("add_default_interface", "stream", P + "robot.add_default_interface('socket')", table("component_service", {"robot.pose": [SERVICES]})),
    ("make_external", "", P + "pose.add_stream('socket'); robot.make_external()", table("component_datastream", {})),
    ("make_ghost", "alpha=0.3", R + "robot.make_ghost()", at("robot", "body", {"type": "none"})),
    ("set_rigid_body", "", R + "robot.set_rigid_body()", body_type("rigid")),
    ("set_no_collision", "", R + "robot.set_no_collision()", at("robot", "body", {"type": "none"})),
    ("set_physics_type", "physics_type='STATIC'", R + "robot.set_physics_type()", at("robot", "body", {"type": "static"})),
    ("set_use_record_animation", "use=True", R + "robot.set_use_record_animation(True)", said("set_use_record_animation() has no effect")),
    ("set_dynamic", "", R + "robot.set_dynamic()", body_type("dynamic")),
    ("set_collision_bounds", "", R + "robot.set_collision_bounds()", said("set_collision_bounds() has no effect")),
    ("make_grasper", "obj_name", R + "hand = Empty('hand'); robot.append(hand); robot.make_grasper('hand')", lambda result: (result.object("robot.hand")["properties"]["Tag"], "Graspable")),
]

#: Of the environment.
ENVIRONMENT = [
    ("set_camera_location", "camera_location=(5, -5, 5)", "", said("Environment.set_camera_location has no effect")),
    ("place_camera", "camera_location=(5, -5, 5)", "", said("Environment.place_camera has no effect")),
    ("set_camera_rotation", "camera_rotation=(0.7854, 0, 0.7854)", "", said("Environment.set_camera_rotation has no effect")),
    ("aim_camera", "camera_rotation=(0.7854, 0, 0.7854)", "", said("Environment.aim_camera has no effect")),
    ("set_camera_clip", "clip_start=0.1, clip_end=100", "", said("Environment.set_camera_clip has no effect")),
    ("set_camera_speed", "speed=2.0", "", said("Environment.set_camera_speed has no effect")),
    ("set_camera_focal_length", "focal_length=20.0", "", said("Environment.set_camera_focal_length has no effect")),
    ("create", "name=None", "", env("import", "empty")),
    ("set_horizon_color", "color=(0.05, 0.22, 0.4)", "", said("Environment.set_horizon_color has no effect")),
    ("set_ambient_color", "color=(0.05, 0.05, 0.05)", "", said("Environment.set_ambient_color has no effect")),
    ("enable_mist", "enable=True", "", said("Environment.enable_mist has no effect")),
    ("set_mist_settings", "enable=True, **settings", "start=1, depth=2", said("Environment.set_mist_settings has no effect")),
    ("show_debug_properties", "value=True", "", said("Environment.show_debug_properties has no effect")),
    ("show_framerate", "value=True", "", said("Environment.show_framerate has no effect")),
    ("show_physics", "value=True", "", said("Environment.show_physics has no effect")),
    ("set_gravity", "gravity=9.81", "1.5", env("gravity", [0.0, 0.0, -1.5])),
    ("set_material_mode", "material_mode='GLSL'", "", said("Environment.set_material_mode has no effect")),
    ("set_viewport", "viewport_shade='WIREFRAME', clip_end=1000", "", said("Environment.set_viewport has no effect")),
    ("set_auto_start", "auto_start=True", "", said("Environment.set_auto_start has no effect")),
    ("set_debug", "debug=True", "", said("Environment.set_debug has no effect")),
    ("set_stereo", "mode='ANAGLYPH', eye_separation=0.1, stereo='STEREO'", "", said("Environment.set_stereo has no effect")),
    ("fullscreen", "fullscreen=True", "", said("Environment.fullscreen has no effect")),
    ("set_animation_record", "record=True", "", said("Environment.set_animation_record has no effect")),
    ("set_physics_step_sub", "step_sub=2", "5", env("physics_substeps", 5)),
    ("set_time_strategy", "strategy", "TimeStrategies.FixedSimulationStep", env("time_strategy", "fixed_step")),
    ("set_time_scale", "slowdown_by=None, accelerate_by=None", "slowdown_by=2", env("time_scale", 0.5)),
    ("use_internal_syncer", "", "", said("use_internal_syncer() has no effect")),
    ("simulator_frequency", "base_frequency=60, logic_step_max=20, physics_step_max=20", "50", env("frequency", 50)),
    ("use_vsync", "vsync", "'OFF'", said("Environment.use_vsync has no effect")),
    ("use_relative_time", "value=True", "True", env("use_relative_time", True)),
    ("configure_multinode", "protocol='socket', server_address='localhost', server_port='65000', distribution=None", "", lambda result: ([result.environment["add_ons"][0]["properties"][key] for key in ("Robots", "Address", "Port")], ["robot", "localhost", 65000])),
    ("configure_stream_manager", "stream_manager, **kwargs", "'socket', sync_port=1", table("stream_manager", {SOCKET: {"sync_port": 1}})),
    ("add_service", "datastream", "'socket'", table("component_service", {"simulation": [SERVICES]})),
    ("configure_service", "datastream", "'socket'", table("component_service", {"simulation": [SERVICES]})),
    ("add_interface", "interface", "'socket'", table("component_service", {"simulation": [SERVICES]})),
    ("properties", "**kwargs", "longitude=1.5", env("properties", {"longitude": 1.5})),
    ("select_display_camera", "robot_camera", "None", said("Environment.select_display_camera has no effect")),
    ("set_background_scene", "name", "'x'", said("Environment.set_background_scene has no effect")),
    ("save", "filepath=None, check_existing=False, compress=True, **settings", "", said("Environment.save has no effect")),
    ("set_log_level", "component, level", "'a', 'debug'", lambda result: (result.scene["log_levels"], {"a": "DEBUG"})),
]

SICK = has("s", laser_range=30.0, scan_window=180.0, resolution=1.0)
LDMRS = has("s", laser_range=30.0, scan_window=100.0, resolution=0.25, layers=4, layer_separation=0.8, layer_offset=0.125)
HOKUYO = has("s", laser_range=30.0, scan_window=270.0, resolution=0.25)
INFRARED = has("s", laser_range=2.0, scan_window=20.0, resolution=1.0)
RAYS = has("s", laser_range=50.0, scan_window=31.5, resolution=0.5)
FOCAL = has("c", cam_focal=35.0)
SEMANTIC = has("c", cam_focal=35.0, cam_width=512, cam_height=512, Vertical_Flip=False)
TURN = has("c", cam_focal=35.0, rotation=0.8575560450553894)

#: Classes: constructor, script, what must be seen.
CLASSES = [
    ("Component", "category='', filename='', blender_object_name=None, make_morseable=True", R + "kit = Component('props', 'kit/chair.blend', 'Seat'); robot.append(kit)", lambda result: (result.object("robot.kit")["import"]["object"], "Seat")),
    ("Robot", "filename='', name=None, blender_object_name=None", "r = Robot('arm.urdf', 'arm')", lambda result: ((result.object("arm")["classpath"], os.path.basename(result.object("arm")["import"]["file"])), ("morse.core.robot.Robot", "arm.urdf"))),
    ("GroundRobot", "filename='', name=None, blender_object_name=None", "r = GroundRobot('atrv')", at("r", "properties", {"GroundRobot": True})),
    ("WheeledRobot", "filename='', name=None, blender_object_name=None", "r = WheeledRobot('atrv'); r.unparent_wheels()", at("r", "properties", None)),
    ("PassiveObject", "filename='props/objects', prefix=None, keep_pose=False", "seat = PassiveObject('kit/chair.blend', 'Seat', keep_pose=True); seat.setgraspable()", at("seat", "properties", {"Object": True, "Graspable": True, "Label": "Seat"})),
    ("Zone", "type", "dock = Zone('Charging'); dock.size = [1, 2, 3]", at("dock", "shapes", [{"kind": "box", "size": [2.0, 4.0, 6.0], "solid": False}])),
    ("ComponentCreator", "name=None, category='', action=0, blendfile='', blendobject=None, make_morseable=True", R + "c = ComponentCreator('c', 'sensors', ComponentCreator.USE_BLEND, 'kit/chair.blend', 'Seat'); robot.append(c)", lambda result: (result.object("robot.c")["import"]["object"], "Seat")),
    ("SensorCreator", "name=None, action=0, make_morseable=True", R + "s = SensorCreator('s'); s.properties(classpath='morse.sensors.pose.Pose'); robot.append(s)", at("robot.s", "classpath", "morse.sensors.pose.Pose")),
    ("ActuatorCreator", "name=None, action=0, blendfile=None, blendobject=None, make_morseable=True", R + "a = ActuatorCreator('a', ActuatorCreator.LINK_EXISTING_OBJECT, blendobject='x'); a.properties(classpath='morse.actuators.waypoint.Waypoint'); robot.append(a)", at("robot.a", "classpath", "morse.actuators.waypoint.Waypoint")),
    ("CompoundSensor", "sensors=(), name=None", P + "both = CompoundSensor([pose]); robot.append(both)", at("robot.both", "properties", {"sensors": "robot.pose"})),
    ("Kinect", "name='Kinect'", R + "k = Kinect(); robot.append(k); k.frequency(5); k.profile()", lambda result: ([result.object("robot.Kinect.rgb")["frequency"], result.object("robot.Kinect.depth")["classpath"], result.object("robot.Kinect")["properties"]], [5, "morse.sensors.depth_camera.DepthVideoCamera", {"sensors": "robot.Kinect.rgb,robot.Kinect.depth"}])),
    ("VideoCamera", "name=None", R + "eye = VideoCamera(); eye.rotate(0.1, 0.2); eye.hide_mesh(); robot.append(eye)", at("robot.eye", "rotation", [0.0, -0.2, 0.1])),
    ("DepthCameraAggregator", "name=None", R + "a = DepthCameraAggregator(); a.append(DepthCamera('one')); a.set_master(0); robot.append(a)\nassert len(a.cameras) == 1", at("robot.a", "properties", {"master_camera": "robot.a.one"})),
    ("VLP16_180", "name=None", R + "v = VLP16_180(); robot.append(v)", at("robot.v", "properties", {"master_camera": "robot.v.cam1"})),
    ("Sick", "name=None", R + "s = Sick(); s.create_laser_arc(); robot.append(s)\n" + SICK[0], SICK[1]),
    ("SickLDMRS", "name=None", R + "s = SickLDMRS(); s.create_laser_arc(); robot.append(s)\n" + LDMRS[0], LDMRS[1]),
    ("Hokuyo", "name=None", R + "s = Hokuyo(); s.create_laser_arc(); robot.append(s)\n" + HOKUYO[0], HOKUYO[1]),
    ("Infrared", "name=None", R + "s = Infrared(); s.create_laser_arc(); robot.append(s)\n" + INFRARED[0], INFRARED[1]),
    ("VelodyneRayCast", "name=None", R + "s = VelodyneRayCast(); s.create_laser_arc(); robot.append(s)\n" + RAYS[0], RAYS[1]),
    ("DepthCamera", "name=None", R + "c = DepthCamera(); c.hide_mesh(); robot.append(c)\n" + FOCAL[0], FOCAL[1]),
    ("SemanticCamera", "name=None", R + "c = SemanticCamera(); c.hide_mesh(); robot.append(c)\n" + SEMANTIC[0], SEMANTIC[1]),
    ("Velodyne", "name=None", R + "c = Velodyne(); c.hide_mesh(); robot.append(c)\n" + FOCAL[0], FOCAL[1]),
    ("VelodyneZB", "name=None", R + "c = VelodyneZB(); robot.append(c)\n" + TURN[0], TURN[1]),
    ("SearchAndRescue", "name=None", R + "s = SearchAndRescue(); s.properties(Angle=30.0); robot.append(s)", at("robot.s", "properties", {"Angle": 30.0, "Heal_range": 2.0, "Abilities": "1,2"})),
    ("Collision", "name=None", R + "c = Collision(); c.properties(only_objects_with_property='x'); robot.append(c)", at("robot.c", "properties", {"only_objects_with_property": "x"})),
    ("Gripper", "name=None", R + "g = Gripper(); g.properties(Distance=1.0); robot.append(g)", at("robot.g", "properties", {"Distance": 1.0})),
    ("Light", "name=None", R + "l = Light(); l.properties(distance=5.0); robot.append(l)", lambda result: (result.object("robot.l.LightSpot")["lamp"]["distance"], 5.0)),
    ("Joystick", "name=None, index=0", R + "j = Joystick(index=2); robot.append(j)\nassert not j.is_exportable()", at("robot.j", "properties", {"Index": 2})),
    ("Armature", "name=None, armature_name=None, model_name=None", R + "Empty('bones'); a = Armature(armature_name='bones'); a.create_ik_targets(['hand']); robot.append(a)", at("robot.a", "properties", {"armature": "bones", "IKTargets": "hand"})),
    ("Sound", "name=None", R + "s = Sound(); s.open('/a.wav'); robot.append(s)", said("Sound.open() has no effect")),
    ("Waypoint", "name=None, action=0, blendfile=None, blendobject=None, make_morseable=True", R + "w = Waypoint(); w.add_lr_radars(); robot.append(w)", said("add_lr_radars() has no effect")),
    ("Plane", "name=None", "p = Plane('p')", lambda result: (len(result.object("p")["shapes"][0]["triangles"]), 2)),
    ("Cube", "name=None", "c = Cube('c'); c.color(0.5, 0, 1)", at("c", "shapes", [{**BOX, "color": [0.5, 0.0, 1.0]}])),
    ("Sphere", "name=None", "s = Sphere('s')", at("s", "shapes", [{"kind": "sphere", "radius": 1.0, "solid": False}])),
    ("IcoSphere", "name=None", "s = IcoSphere('s')", at("s", "shapes", [{"kind": "sphere", "radius": 1.0, "solid": False}])),
    ("Cylinder", "name=None", "c = Cylinder('c')", at("c", "shapes", [{"kind": "cylinder", "radius": 1.0, "height": 2.0, "solid": False}])),
    ("Cone", "name=None", "c = Cone('c')", at("c", "shapes", [{"kind": "cone", "radius": 1.0, "height": 2.0, "solid": False}])),
    ("Torus", "name=None", "t = Torus('t'); print([round(d, 3) for d in t.dimensions])", printed("[2.5, 2.5, 0.5]")),
    ("Empty", "name=None", "e = Empty('e')", at("e", "shapes", None)),
    ("Coordsys", "name=None", "c = Coordsys('c')", objects("c")),
    ("Spot", "name=None, lamp_type='SPOT'", "s = Spot('s'); s.lamp(energy=2)", lambda result: ([result.object("s")["lamp"][key] for key in ("kind", "distance", "direction", "energy")], ["spot", 10.0, [1.0, 0.0, 0.0], 2.0])),
    ("Camera", "name=None", "c = Camera('c')", said("a Camera shows nothing")),
    ("Environment", "filename, main_scene=None, fastmode=False, component_renaming=True, auto_tune_time=True", R, env("import", "empty")),
    ("timer", None, "print(timer(1.5) + 1)", printed("2.5")),
    ("Configuration", None, P + "Configuration.link_service(pose, 'a.B')", table("component_service", {"robot.pose": ["a.B"]})),
    ("Configuration", None, P + "Configuration.link_datastream(pose, ['a.B', 'c.D', 'OUT', {}])", table("component_datastream", {"robot.pose": [["a.B", "c.D", "OUT", {}]]})),
    ("Configuration", None, P + "Configuration.link_modifier(pose, ['a.B', 'OUT', {}])", table("component_modifier", {"robot.pose": [["a.B", "OUT", {}]]})),
    ("Configuration", None, P + "Configuration.link_overlay(pose, 'a.B', 'c.D', {'x': 1})", table("overlays", {"a.B": {"robot.pose": ["c.D", {"x": 1}]}})),
    ("Configuration", None, "Configuration.link_stream_manager_config('a.B', {'x': 1}); Configuration.link_stream_manager_config('a.B', {'y': 2})", table("stream_manager", {"a.B": {"x": 1, "y": 2}})),
    ("Configuration", None, P + "pose.add_interface('socket')\nprint(Configuration.has_datastream_configuration(pose, '%s'), Configuration.has_service_configuration(pose, '%s'), Configuration.has_service_configuration(robot, '%s'))" % (SOCKET, SERVICES, SERVICES), printed("True True False")),
    ("Configuration", None, P + "print(Configuration.max_frequency()); Configuration.set_frequency(pose, 100.0); print(Configuration.max_frequency())", printed("60\n100.0")),
    ("Configuration", None, "Configuration.link_service('old', 'a.B'); Configuration.update_name('old', 'new')", table("component_service", {"new": ["a.B"]})),
    ("Configuration", None, P + "pose.add_service('socket'); env = Environment('empty'); print('robot.pose' in Configuration.write_config(), 'robot.pose' in Configuration.write_config(['other']))", printed("True False")),
    ("Zone", "type", "dock = Zone('Charging'); dock.size = [1, 2, 3]; dock.rotate(z=1); dock.rotate(z=1)\nassert tuple(dock.size) == (1, 2, 3)", said("has no effect")),
    ("ComponentCreator", None, "print(ComponentCreator.APPEND_EMPTY, ComponentCreator.USE_BLEND, ComponentCreator.LINK_EXISTING_OBJECT)", printed("0 1 2")),
    ("Kinect", "name='Kinect'", R + "k = Kinect(); robot.append(k); k.add_stream('socket')", lambda result: (sorted(result.config["component_datastream"]), ["robot.Kinect.depth", "robot.Kinect.rgb"])),
    ("TimeStrategies", None, "print(TimeStrategies.BestEffort, TimeStrategies.FixedSimulationStep)", printed("0 1")),
]

#: Of bpymorse, and what else scripts find.
BPYMORSE = [
    ("get_object", P + "print(bpymorse.get_object('pose').game.mass)", printed("None")),
    ("get_objects", P + "print(len(bpymorse.get_objects()))", printed("2")),
    ("properties", R + "bpymorse.properties(robot, a=1)", at("robot", "properties", {"a": 1})),
    ("delete", R + "other = ATRV(); bpymorse.delete(other)", objects("robot")),
    ("select_only", R + "bpymorse.select_only(robot)", objects("robot")),
    ("set_speed", "bpymorse.set_speed(50)", env("frequency", 50)),
    ("save", "bpymorse.save('x.blend')", said("save() has no effect")),
    ("fullscreen", "bpymorse.fullscreen()", said("fullscreen() has no effect")),
    ("set_viewport", "bpymorse.set_viewport()", said("set_viewport() has no effect")),
]


def list_plugins():
    """The list of the build tree, with the overlay that rows lay on."""
    with open(PLUGINS, encoding="utf-8") as stream:
        own = [module for module in json.load(stream)["modules"] if module["module"].startswith("acme.")]
    environment = dict(os.environ, XDG_DATA_HOME="/nonexistent", ORRERY_PLUGIN_PATH="")
    text = subprocess.run([PROGRAM, "plugins", "--json"], env=environment, check=True, stdout=subprocess.PIPE).stdout
    with tempfile.TemporaryDirectory(prefix="orrery-list-") as directory:
        path = os.path.join(directory, "plugins.json")
        with open(path, "wb") as stream:
            stream.write(text)
        return Scripts(path, own)


def rounded(value):
    """A copy without what single precision changes."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(rounded(item) for item in value)
    return round(value, 6) if isinstance(value, float) else value


class Rows(unittest.TestCase):
    maxDiff = None

    @classmethod
    def make_scripts(cls):
        return Scripts()

    @classmethod
    def setUpClass(cls):
        cls.scripts = cls.make_scripts()
        for name in FILES:
            path = os.path.join(cls.scripts.top.name, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "w").close()

    @classmethod
    def tearDownClass(cls):
        cls.scripts.close()

    def run_row(self, script, check):
        tail = "" if "env = " in script else "\nenv = Environment('empty')\n"
        result = self.scripts.run(script + tail)
        seen, wanted = check(result)
        self.assertEqual(rounded(seen), rounded(wanted), result.err)

    def arguments(self, thing):
        """Its arguments with their defaults, as one writes them."""
        parameters = inspect.signature(thing).parameters.values()
        return ", ".join(
            str(parameter.replace(annotation=parameter.empty))
            for parameter in parameters
            if parameter.name != "self"
        )

    def check_members(self, rows, owner):
        for name, arguments, script, check in rows:
            with self.subTest(name):
                if arguments is not None:
                    self.assertEqual(self.arguments(getattr(owner, name)), arguments)
                self.run_row(script, check)

    def builder(self):
        import orrery.builder

        return orrery.builder

    def test_members_of_every_component(self):
        self.assertEqual(len(COMPONENT), 31)
        self.check_members(COMPONENT, self.builder().AbstractComponent)

    def test_members_of_robots(self):
        self.assertEqual(len(ROBOT), 12)
        self.check_members(ROBOT, self.builder().Robot)

    def test_members_of_the_environment(self):
        self.assertEqual(len(ENVIRONMENT), 40)
        for name, arguments, call, check in ENVIRONMENT:
            with self.subTest(name):
                member = getattr(self.builder().Environment, name)
                self.assertEqual(self.arguments(member), arguments)
                defaults = ", ".join(
                    "'x'" for p in inspect.signature(member).parameters.values()
                    if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "self"
                )
                line = "env.%s(%s)\n" % (name, call or defaults)
                # Twice: what has no effect says so once.
                self.run_row(R + "env = Environment('empty')\n" + line * 2, check)

    def test_classes(self):
        self.assertEqual(len(CLASSES), 57)
        for name, arguments, script, check in CLASSES:
            with self.subTest(name):
                thing = getattr(self.builder(), name)
                if arguments is not None:
                    self.assertIn(arguments.partition(",")[0], self.arguments(thing))
                self.run_row(script, check)

    def test_bpymorse(self):
        for name, script, check in BPYMORSE:
            with self.subTest(name):
                self.assertTrue(callable(getattr(self.builder().bpymorse, name)))
                self.run_row(script, check)

    def test_every_name_of_morse_is_offered(self):
        from orrery.builder import classes, morse_classes, special

        offered = classes.names()
        self.assertEqual(
            [name for name in [*morse_classes.NAMES, *special.COMPOSITES] if name not in offered], []
        )

    def test_the_check_can_fail(self):
        with self.assertRaises(AssertionError):
            self.run_row(R, at("robot", "position", [1, 2, 3]))


class BuildTree(Rows):
    """The same rows on the classes that the build tree has."""

    def test_classes_derive_as_in_morse(self):
        self.run_row(
            """
for made, base in ((ATRV, GroundRobot), (Hummer, GroundRobot), (Human, GroundRobot), (Pioneer3DX, WheeledRobot),
                   (Pioneer3DX, GroundRobot), (SegwayRMP400, WheeledRobot), (RMax, Robot), (DepthCamera, VideoCamera),
                   (SemanticCamera, VideoCamera), (Velodyne, DepthCamera), (Sick, LaserSensorWithArc)):
    assert issubclass(made, base), (made, base)
assert not issubclass(ATRV, WheeledRobot) and not issubclass(RMax, GroundRobot)
robot = Pioneer3DX(); robot.unparent_wheels()
class Lidar(LaserSensorWithArc):
    _classpath = 'morse.sensors.laserscanner.LaserScanner'
    def __init__(self, name=None):
        LaserSensorWithArc.__init__(self, name)
        self.properties(laser_range=5.0)
        self.create_laser_arc()
from morse.builder.sensors import LaserSensorWithArc as same
assert same is LaserSensorWithArc
lidar = Lidar(); robot.append(lidar)
""",
            at("robot.lidar", "properties", {"laser_range": 5.0}),
        )

    def test_what_classes_begin_with(self):
        os.environ["ORRERY_PROGRAM"] = PROGRAM
        self.addCleanup(os.environ.pop, "ORRERY_PROGRAM")
        self.run_row(
            R + "s = [Proximity(), Battery(), VideoCamera(), Pose()]\nfor each in s: robot.append(each)\n"
            "print(*(a.property_value(n) for a, n in zip(s, ('Range', 'DischargingRate', 'cam_width', 'frequency'))))\n"
            "print(robot.property_value('GroundRobot'), robot.property_value('none'))\n"
            "robot._bpy_object.game.damping = 0.5; print(robot._bpy_object.game.rotation_damping)",
            printed("30.0 0.05 256 60.0\nTrue None\n0.18"),
        )
        self.run_row(R + "robot._bpy_object.game.damping = 0.5", at("robot", "body", {"damping": [0.5, 0.18]}))

    @classmethod
    def make_scripts(cls):
        return list_plugins()


def read_api():
    """(name, arguments or None) of each line of morse_api.txt."""
    with open(os.path.join(HERE, "morse_api.txt"), encoding="utf-8") as stream:
        for line in stream:
            found = re.fullmatch(r"([\w.]+)(?:\((.*)\)| value)\n", line)
            if found is None and not line.startswith("#"):
                raise ValueError(line)
            if found is not None:
                yield found.group(1), found.group(2)


def parameters_of(text):
    """Name -> default, as MORSE has them."""
    return [(each.name, each.default) for each in
            inspect.signature(eval("lambda %s: 0" % text)).parameters.values()]  # noqa: S307: our own file


class Api(unittest.TestCase):
    """What MORSE has, line by line."""

    @classmethod
    def setUpClass(cls):
        cls.scripts = list_plugins()
        cls.scripts.run("env = Environment('empty')\n")
        cls.lines = list(read_api())

    @classmethod
    def tearDownClass(cls):
        cls.scripts.close()

    def find(self, name):
        import orrery.builder as thing

        for part in name.split("."):
            thing = getattr(thing, part)
        return thing

    def test_is_there_and_takes_the_same(self):
        """Arguments have MORSE's names, order and defaults; what MORSE demands may be left out here."""
        self.assertGreater(len(self.lines), 140)
        for name, arguments in self.lines:
            with self.subTest(name):
                if arguments is None or "..." in arguments:
                    # Attributes of objects are seen in the rows.
                    self.assertTrue(name.endswith((".children", ".basename")) or self.find(name) is not None)
                    continue
                ours = [(each.name, each.default) for each in inspect.signature(self.find(name)).parameters.values()
                        if each.name != "self"]
                theirs = parameters_of(arguments)
                self.assertEqual([each for each, _ in ours[:len(theirs)]], [each for each, _ in theirs])
                for (_, default), (_, wanted) in zip(ours, theirs):
                    if wanted is not inspect.Parameter.empty:
                        self.assertEqual(default, wanted)

    def test_has_a_row(self):
        rows = {"AbstractComponent": COMPONENT, "Robot": ROBOT, "Environment": ENVIRONMENT}
        scripts = "\n".join(row[2] for row in CLASSES)
        for name, _ in self.lines:
            owner, _, member = name.rpartition(".")
            with self.subTest(name):
                if owner == "bpymorse":
                    self.assertIn(member, [row[0] for row in BPYMORSE])
                elif not owner:
                    self.assertIn(name, [row[0] for row in CLASSES])
                elif owner in rows:
                    self.assertIn(member, [row[0] for row in rows[owner]])
                elif member == "after_renaming":
                    self.assertIn("CompoundSensor(", scripts)
                else:
                    self.assertIn(owner, [row[0] for row in CLASSES])
                    self.assertRegex(scripts, r"\.%s\b" % member)

    def test_constructors_take_a_name(self):
        from orrery.builder import classes, morse_classes

        own = {"CompoundSensor", "Armature", "HumanSkeleton", "KukaLWR", "Human", "Joystick"}
        for name in sorted(set(morse_classes.NAMES) - own):
            with self.subTest(name):
                first = next(iter(inspect.signature(classes.get("test", name)).parameters.values()))
                self.assertEqual((first.name, first.default), ("name", None))


if __name__ == "__main__":
    tap.main()
