# SPDX-License-Identifier: BSD-3-Clause
# What a scene may say, from the tables of its keys.
noinst_PROGRAMS += %D%/scene-keys
%C%_scene_keys_LDADD = $(inside_ldadd)
%D%/scene.schema.json: %D%/scene-keys
	$(AM_V_GEN)%D%/scene-keys schema > $@.tmp && mv $@.tmp $@
%D%/scene.md: %D%/scene-keys
	$(AM_V_GEN)%D%/scene-keys page > $@.tmp && mv $@.tmp $@
CLEANFILES += %D%/scene.schema.json
if !CROSS_COMPILED
nodist_orrerydata_DATA = %D%/scene.schema.json
endif

# What every class says of itself, gathered from the plugins as they were built; what the tables of services, messages
# and commands say; and what the Python package and the C library say to whoever writes Python.
class_pages = %D%/classes-actuators.md %D%/classes-data-stream-managers.md %D%/classes-data-streams.md \
  %D%/classes-importers.md %D%/classes-modifiers.md %D%/classes-observers.md %D%/classes-overlays.md \
  %D%/classes-physics.md %D%/classes-ray-casters.md %D%/classes-renderers.md %D%/classes-request-managers.md \
  %D%/classes-robots.md %D%/classes-scripts.md %D%/classes-sensors.md %D%/services.md %D%/streams.md
python_pages = %D%/python-builder.md
if HAVE_INTROSPECTION
python_pages += %D%/python-orrery.md %D%/python-loops.md %D%/python-plugins.md %D%/python-records.md \
  %D%/python-simulation.md %D%/python-world.md
python_described = $(gir_file) share/orrery-1/stubs/orrery/__init__.pyi
endif
# Programs of this build write these: where they cannot run, there are none.
written_pages = %D%/components.md $(class_pages) %D%/commands.md %D%/message-types.md %D%/scene.md
made_pages = %D%/python-gym.md $(python_pages)
if !CROSS_COMPILED
made_pages += $(written_pages)
endif

# What `orrery help` searches; its head describes it. The pages are where they are when installed.
manual_pages = $(filter %.md,$(dist_doc_DATA)) $(made_pages)
manualdir = $(orrerydatadir)/manual
nodist_manual_DATA = share/orrery-1/manual/index.tsv
share/orrery-1/manual/index.tsv: $(manual_pages) %D%/manual_index.py
	$(AM_V_GEN)$(MKDIR_P) $(@D) share/doc && $(PYTHON) $(srcdir)/%D%/manual_index.py $(filter %.md,$^) > $@.tmp && \
	  rm -rf share/doc/orrery && $(MKDIR_P) share/doc/orrery && \
	  for page in $(filter %.md,$^); do $(LN_S) "$$(realpath "$$page")" share/doc/orrery/ || exit 1; done && \
	  mv $@.tmp $@
CLEANFILES += share/orrery-1/manual/index.tsv
EXTRA_DIST += %D%/manual_index.py
clean-local: clean-manual
clean-manual:
	rm -rf share/doc/orrery
.PHONY: clean-manual

dist_doc_DATA = \
  %D%/architecture.md \
  %D%/batch.md \
  %D%/builder.md \
  %D%/cameras.md \
  %D%/changing.md \
  %D%/channels.md \
  %D%/course-arms.md \
  %D%/course-faults.md \
  %D%/course-first-robot.md \
  %D%/course-learning.md \
  %D%/course-many-runs.md \
  %D%/course-own-robot.md \
  %D%/course-recording.md \
  %D%/course-ros2.md \
  %D%/course-sensor-in-c.md \
  %D%/course-sensor-in-python.md \
  %D%/differences.md \
  %D%/faults.md \
  %D%/gallery.md \
  %D%/help.md \
  %D%/hybrid.md \
  %D%/learning.md \
  %D%/log.md \
  %D%/morse-components.md \
  %D%/mappings.md \
  %D%/mavlink.md \
  %D%/messages.md \
  %D%/middleware.md \
  %D%/mqtt.md \
  %D%/multinode.md \
  %D%/noise.md \
  %D%/order.md \
  %D%/plugins.md \
  %D%/performance.md \
  %D%/physics.md \
  %D%/recording.md \
  %D%/release.md \
  %D%/python.md \
  %D%/rays.md \
  %D%/robots.md \
  %D%/ros.md \
  %D%/ros2.md \
  %D%/rosbridge.md \
  %D%/run.md \
  %D%/scheduler.md \
  %D%/scripts.md \
  %D%/security.md \
  %D%/simulation-interfaces.md \
  %D%/spawning.md \
  %D%/time.md \
  %D%/tutorials.md \
  %D%/viewer.md \
  %D%/learning.png \
  %D%/learning-drive.png \
  %D%/learning-film.png \
  %D%/learning-reach.png \
  %D%/viewer.png \
  %D%/viewer-beside.png \
  %D%/viewer-log.png \
  %D%/workers.md

nodist_doc_DATA = $(made_pages)
%D%/components.md: %D%/components.py $(dist_pictures_DATA) $(MODULES) $(JSON_CLASSES) \
  orrery bin/orrery lib/orrery-1/orrery-inspect %D%/reference %D%/message-types.md
	$(AM_V_GEN)$(MKDIR_P) $(@D) && XDG_DATA_HOME=/nonexistent ORRERY_PLUGIN_PATH= \
	  $(PYTHON) $(srcdir)/%D%/components.py ./orrery %D%/reference %D% $(srcdir)/%D%/pictures \
	  components.md $(notdir $(class_pages)) && \
	  { test -e $(@D)/pictures || $(LN_S) $(abs_srcdir)/%D%/pictures $(@D)/pictures; }
$(class_pages): %D%/components.md
noinst_PROGRAMS += %D%/reference
%C%_reference_LDADD = $(inside_ldadd)
%D%/message-types.md: %D%/reference $(MESSAGES)
	$(AM_V_GEN)%D%/reference messages $(MESSAGETREE) > $@.tmp && mv $@.tmp $@
%D%/commands.md: bin/orrery
	$(AM_V_GEN)$(MKDIR_P) $(@D) && bin/orrery man-page --markdown > $@.tmp && mv $@.tmp $@
%D%/python-gym.md: %D%/python_pages.py $(python_described) $(filter python/orrery/%.py,$(nobase_dist_orrerydata_DATA))
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(PYTHON) $(srcdir)/%D%/python_pages.py %D% $(srcdir)/python $(python_described)
$(python_pages): %D%/python-gym.md
CLEANFILES += $(written_pages) %D%/python-gym.md $(python_pages)
EXTRA_DIST += %D%/components.py %D%/python_pages.py
clean-local: clean-pictures
clean-pictures:
	test ! -L %D%/pictures || rm -f %D%/pictures
.PHONY: clean-pictures

# The pictures of components.md, by classpath without `orrery.`, and what makes them.
picturesdir = $(docdir)/pictures
dist_pictures_DATA = \
  %D%/pictures/actuators.armature.Armature.png \
  %D%/pictures/actuators.arucomarker.Arucomarker.png \
  %D%/pictures/actuators.destination.Destination.png \
  %D%/pictures/actuators.grasp.Grasp.png \
  %D%/pictures/actuators.gripper.Gripper.png \
  %D%/pictures/actuators.human.HumanSkeleton.png \
  %D%/pictures/actuators.kuka_lwr.KukaLWR.png \
  %D%/pictures/actuators.lamp.Lamp.png \
  %D%/pictures/actuators.light.Light.png \
  %D%/pictures/actuators.pa_10.PA10.png \
  %D%/pictures/actuators.pan_tilt.PanTilt.png \
  %D%/pictures/actuators.pr2.PR2Head.png \
  %D%/pictures/actuators.pr2.PR2LeftArm.png \
  %D%/pictures/actuators.pr2.PR2RightArm.png \
  %D%/pictures/actuators.pr2.PR2Torso.png \
  %D%/pictures/actuators.ptu.PTU.png \
  %D%/pictures/actuators.rotorcraft_attitude.RotorcraftAttitude.png \
  %D%/pictures/actuators.rotorcraft_velocity.RotorcraftVelocity.png \
  %D%/pictures/actuators.rotorcraft_waypoint.RotorcraftWaypoint.png \
  %D%/pictures/actuators.stabilized_quadrotor.StabilizedQuadrotor.png \
  %D%/pictures/actuators.steer_force.SteerForce.png \
  %D%/pictures/actuators.v_omega.MotionVW.png \
  %D%/pictures/actuators.v_omega_diff_drive.MotionVWDiff.png \
  %D%/pictures/actuators.waypoint.Waypoint.png \
  %D%/pictures/actuators.xy_omega.MotionXYW.png \
  %D%/pictures/modifiers.noise.Bias.png \
  %D%/pictures/modifiers.noise.Delay.png \
  %D%/pictures/modifiers.noise.DropOut.png \
  %D%/pictures/modifiers.noise.Gaussian.png \
  %D%/pictures/modifiers.noise.Jitter.png \
  %D%/pictures/modifiers.noise.Outliers.png \
  %D%/pictures/modifiers.noise.Quantisation.png \
  %D%/pictures/modifiers.noise.RandomWalk.png \
  %D%/pictures/modifiers.noise.RateLimit.png \
  %D%/pictures/modifiers.noise.StuckValue.png \
  %D%/pictures/modifiers.odometry_noise.OdometryNoiseModifier.png \
  %D%/pictures/modifiers.pose_noise.OrientationNoiseModifier.png \
  %D%/pictures/modifiers.pose_noise.PoseNoiseModifier.png \
  %D%/pictures/modifiers.pose_noise.PositionNoiseModifier.png \
  %D%/pictures/robots.atrv.ATRV.png \
  %D%/pictures/robots.b21.B21.png \
  %D%/pictures/robots.fakerobot.FakeRobot.png \
  %D%/pictures/robots.human.Human.png \
  %D%/pictures/robots.hummer.Hummer.png \
  %D%/pictures/robots.jido.Jido.png \
  %D%/pictures/robots.morsy.Morsy.png \
  %D%/pictures/robots.patrolbot.PatrolBot.png \
  %D%/pictures/robots.pioneer3dx.Pioneer3DX.png \
  %D%/pictures/robots.pr2.PR2.png \
  %D%/pictures/robots.quadrotor.Quadrotor.png \
  %D%/pictures/robots.quadrotor_dynamic.Quadrotor.png \
  %D%/pictures/robots.rmax.RMax.png \
  %D%/pictures/robots.segwayrmp400.SegwayRMP400.png \
  %D%/pictures/robots.submarine.Submarine.png \
  %D%/pictures/robots.victim.Victim.png \
  %D%/pictures/sensors.battery.Battery.png \
  %D%/pictures/sensors.depth_camera.DepthCamera.png \
  %D%/pictures/sensors.depth_camera.DepthCameraRotationZ.png \
  %D%/pictures/sensors.depth_camera.DepthVideoCamera.png \
  %D%/pictures/sensors.depth_camera.RawImage.png \
  %D%/pictures/sensors.depth_camera_aggregator.DepthCameraAggregator.png \
  %D%/pictures/sensors.hokuyo.Hokuyo.png \
  %D%/pictures/sensors.infrared.Infrared.png \
  %D%/pictures/sensors.kinect.Kinect.png \
  %D%/pictures/sensors.laserscanner.LaserScanner.png \
  %D%/pictures/sensors.laserscanner.LaserScannerRotationZ.png \
  %D%/pictures/sensors.laserscanner.RSSILaserScanner.png \
  %D%/pictures/sensors.normal_camera.NormalCamera.png \
  %D%/pictures/sensors.proximity.Proximity.png \
  %D%/pictures/sensors.radar_altimeter.RadarAltimeter.png \
  %D%/pictures/sensors.search_and_rescue.SearchAndRescue.png \
  %D%/pictures/sensors.segmentation_camera.BoundingBoxCamera.png \
  %D%/pictures/sensors.segmentation_camera.SegmentationCamera.png \
  %D%/pictures/sensors.semantic_camera.SemanticCamera.png \
  %D%/pictures/sensors.sick.Sick.png \
  %D%/pictures/sensors.sickldmrs.SickLDMRS.png \
  %D%/pictures/sensors.stereo_unit.StereoUnit.png \
  %D%/pictures/sensors.thermometer.Thermometer.png \
  %D%/pictures/sensors.velodyne.Velodyne.png \
  %D%/pictures/sensors.velodyneraycast.VelodyneRayCast.png \
  %D%/pictures/sensors.video_camera.VideoCamera.png \
  %D%/pictures/sensors.vlp16.VLP16Eye.png \
  %D%/pictures/sensors.vlp16.VLP16_180.png
EXTRA_DIST += %D%/pictures.py %D%/drawing.py

# The pictures of gallery.md, and what makes them.
gallery = apartment empty human_tut-tutorial_scene indoors-1-boxes indoors-1-indoor-1 \
  laas-grande_salle land-1-buildings_1 land-1-buildings_2 land-1-rosace_1 land-1-trees outdoors \
  sandbox tum_kitchen-tum_kitchen water-1-deep_water water-1-water_scene
gallerydir = $(docdir)/gallery
dist_gallery_DATA = $(gallery:%=%D%/gallery/%.png)
EXTRA_DIST += %D%/gallery.py

# The pictures of the course, and what types it in.
course = arms faults first-robot learning-curve many-runs own-robot recording ros2 sensor-in-python
coursedir = $(docdir)/course
dist_course_DATA = $(course:%=%D%/course/%.png)
EXTRA_DIST += %D%/course.py
