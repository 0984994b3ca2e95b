# SPDX-License-Identifier: BSD-3-Clause
"""What MORSE's environment offers for its window, its viewer and its editor."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence

from . import session

NO_WINDOW = "there is no window"
#: What Blender calls the viewer's camera.
CAMERA = "CameraFP"
CAMERAS = (CAMERA, "Camera")


class Viewer:
    """The viewer's camera, or a part of it: whatever is set of it has no effect, and says so."""

    def __init__(self, path: str) -> None:
        object.__setattr__(self, "_path", path)

    def __setattr__(self, name: str, value: Any) -> None:
        path = "%s.%s" % (self._path, name)
        session.current().warn(path, "%s has no effect: %s" % (path, NO_WINDOW))
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return Viewer("%s.%s" % (self._path, name))

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        session.current().warn(self._path, "%s() has no effect: %s" % (self._path, NO_WINDOW))


class Window:
    """Settings that mean nothing without a window: each is accepted, and says so once."""

    def _no_effect(self, what: str, why: str = NO_WINDOW) -> None:
        session.current().warn(what, "Environment.%s has no effect: %s" % (what, why))

    # The viewer's camera

    @property
    def _bpy_object(self) -> Viewer:
        """In MORSE an environment is the viewer's camera."""
        return Viewer(CAMERA)

    def set_camera_location(self, camera_location: Sequence[float] = (5, -5, 5)) -> None:
        """Where the viewer's camera stands."""
        self._no_effect("set_camera_location")

    def place_camera(self, camera_location: Sequence[float] = (5, -5, 5)) -> None:
        """The old name of `set_camera_location`."""
        self._no_effect("place_camera")

    def set_camera_rotation(self, camera_rotation: Sequence[float] = (0.7854, 0, 0.7854)) -> None:
        """Where the viewer's camera looks."""
        self._no_effect("set_camera_rotation")

    def aim_camera(self, camera_rotation: Sequence[float] = (0.7854, 0, 0.7854)) -> None:
        """The old name of `set_camera_rotation`."""
        self._no_effect("aim_camera")

    def set_camera_clip(self, clip_start: float = 0.1, clip_end: float = 100) -> None:
        """How near and how far the viewer sees."""
        self._no_effect("set_camera_clip")

    def set_camera_speed(self, speed: float = 2.0) -> None:
        """How fast the viewer's camera moves, m/s."""
        self._no_effect("set_camera_speed")

    def set_camera_focal_length(self, focal_length: float = 20.0) -> None:
        """The viewer's lens, mm."""
        self._no_effect("set_camera_focal_length")

    def select_display_camera(self, robot_camera: Any) -> None:
        """Shows what a camera of the scene sees."""
        self._no_effect("select_display_camera")

    # What is drawn, and how

    def set_horizon_color(self, color: Sequence[float] = (0.05, 0.22, 0.4)) -> None:
        """The colour of the sky."""
        self._no_effect("set_horizon_color")

    def set_ambient_color(self, color: Sequence[float] = (0.05, 0.05, 0.05)) -> None:
        """The colour of what is not lit."""
        self._no_effect("set_ambient_color")

    def enable_mist(self, enable: bool = True) -> None:
        """Mist in the window."""
        self._no_effect("enable_mist")

    def set_mist_settings(self, enable: bool = True, **settings: Any) -> None:
        """How thick the mist is: intensity, start, depth, falloff."""
        self._no_effect("set_mist_settings")

    def set_material_mode(self, material_mode: str = "GLSL") -> None:
        """How materials are drawn."""
        self._no_effect("set_material_mode")

    def set_viewport(self, viewport_shade: str = "WIREFRAME", clip_end: float = 1000) -> None:
        """How the editor draws."""
        self._no_effect("set_viewport")

    def set_background_scene(self, name: str) -> None:
        """A scene of Blender's behind this one."""
        self._no_effect("set_background_scene")

    def set_stereo(
        self, mode: str = "ANAGLYPH", eye_separation: float = 0.1, stereo: str = "STEREO"
    ) -> None:
        """Two pictures, one for each eye."""
        self._no_effect("set_stereo")

    def use_vsync(self, vsync: str) -> None:
        """ON, OFF or ADAPTIVE: whether the window's pace is that of the screen."""
        if vsync not in ("ON", "OFF", "ADAPTIVE"):
            raise ValueError("use_vsync: want 'ON', 'OFF' or 'ADAPTIVE', not %r" % (vsync,))
        self._no_effect("use_vsync")

    # The window

    def fullscreen(self, fullscreen: bool = True) -> None:
        """A window as large as the screen."""
        self._no_effect("fullscreen")

    def show_debug_properties(self, value: bool = True) -> None:
        """Properties in the window."""
        self._no_effect("show_debug_properties")

    def show_framerate(self, value: bool = True) -> None:
        """The time that a picture takes, in the window."""
        self._no_effect("show_framerate")

    def show_physics(self, value: bool = True) -> None:
        """Shapes of bodies in the window."""
        self._no_effect("show_physics")

    # The editor

    def set_auto_start(self, auto_start: bool = True) -> None:
        """Whether Blender starts the game by itself; here every scene does."""
        self._no_effect("set_auto_start")

    def set_debug(self, debug: bool = True) -> None:
        """Blender's own messages."""
        self._no_effect("set_debug")

    def set_animation_record(self, record: bool = True) -> None:
        """Keeps what moves as an animation of Blender's."""
        self._no_effect("set_animation_record")

    def save(
        self,
        filepath: Optional[str] = None,
        check_existing: bool = False,
        compress: bool = True,
        **settings: Any,
    ) -> None:
        """Saves a file of Blender's; `orrery build` keeps the scene."""
        self._no_effect("save", "`orrery build` keeps the scene")


#: Every name above, for those who check that none is missing.
NAMES: Dict[str, Any] = {
    name: member for name, member in vars(Window).items() if not name.startswith("_")
}
