# The first scene on every middleware; docs/middleware.md reads and drives it with each of them.
from first_scene import *

for name in 'ros', 'ros2', 'rosbridge', 'mqtt':
    pose.add_stream(name)
    waypoint.add_interface(name)
