# SPDX-License-Identifier: BSD-3-Clause
"""What a class needs around it: tests that put each class that is installed into a scene find it here."""

A, S, R = "orrery.actuators.", "orrery.sensors.", "orrery.robots."

#: Where on the Earth the scene lies.
ORIGIN = {"longitude": 1.43, "latitude": 43.6, "altitude": 135.0}
#: The component that it stands in.
INSIDE = {S + "ptu_posture.PTUPosture": A + "ptu.PTU", S + "armature_pose.ArmaturePose": A + "kuka_lwr.KukaLWR"}
#: Options that a modifier needs, and the sensor that it fits where its own does not have what it works on.
NEEDS = {"orrery.modifiers.noise.SaltAndPepper": {"high": 100},
         "orrery.modifiers.noise.Vignette": {"field": "image"}}
FITS = {"orrery.modifiers.noise.Vignette": S + "depth_camera.DepthVideoCamera"}
#: A camera whose distances are found by rays: OpenGL has no part in its pictures.
SMALL = {"cam_width": 16, "cam_height": 16, "with_rays": True}
#: The robot that it stands on; others do with any.
ON = {A + "stabilized_quadrotor.StabilizedQuadrotor": R + "fakerobot.FakeRobot",
      A + "steer_force.SteerForce": R + "hummer.Hummer"}
#: What asks the engine for forces, which Kinematic has not, and for a joint above it: tests/sensors/test-contact-force.c
#: and test-joint-wrench.c have scenes for them.
FORCES = (S + "contact_force.ContactForce", S + "joint_wrench.JointWrench")
#: A hinge and a slide.
JOINT = {"name": "joint", "position": [0, 0, 1], "joint": {"kind": "hinge", "limits": [-1, 1]}, "objects": [
    {"name": "slide", "position": [0, 0, 0.2], "joint": {"kind": "slide", "limits": [-1, 1]}}]}
#: A camera that is quick to draw.
EYE = {"name": "eye", "classpath": S + "depth_camera.DepthCamera", "frequency": 20,
       "properties": {"cam_width": 16, "cam_height": 16}}
#: The objects below it.
BELOW = {
    A + "segments.Segments": [{"name": "j%d" % i, "joint": {"kind": "hinge"}} for i in range(6)],
    A + "pan_tilt.PanTilt": [{"name": "PanBase", "objects": [{"name": "TiltBase"}]}],
    A + "armature.Armature": [JOINT],
    S + "depth_camera_aggregator.DepthCameraAggregator": [EYE],
}
#: Wheels of a robot that is none of MORSE's, and the properties that name them.
WHEELS = [{"name": name, "position": [x, y, 0.2], "shapes": [{"kind": "sphere", "radius": 0.2, "solid": False}]}
          for name, x, y in (("fl", 0.5, 0.5), ("fr", 0.5, -0.5), ("rl", -0.5, 0.5), ("rr", -0.5, -0.5))]
WHEEL_NAMES = dict(WheelFLName="fl", WheelFRName="fr", WheelRLName="rl", WheelRRName="rr")
