# SPDX-License-Identifier: BSD-3-Clause
"""`bge_object`: what an object of the scene can answer, by the names of Blender's game objects.

Poses and velocities are those of the present tick; what is set is staged and seen in the next one. Within a tick what
one caller sets builds on what another has set before.
"""


from .._values import Orrery, to_variant
from .errors import BlenderOnly
from .live import LiveMatrix, LiveVector
from .mathutils import Euler, Matrix, Quaternion, Vector
from .values import plain

# m, behind what a ray has passed.
NEXT = 1e-6
# Of Blender's game objects, and nothing here.
BLENDER = {
    "actuators": "logic bricks", "controllers": "logic bricks", "sensors": "logic bricks", "state": "logic bricks",
    "meshes": "meshes", "replaceMesh": "meshes", "reinstancePhysicsMesh": "meshes", "color": "materials",
    "playAction": "animations", "isPlayingAction": "animations", "stopAction": "animations", "channels": "armatures",
    "update": "armatures", "constraints": "armatures", "scene": "scenes", "collisionCallbacks": "collision callbacks", "lens": "cameras", "projection_matrix": "cameras",
}
INSTEAD = {
    "logic bricks": "the component runs every due tick by itself",
    "collision callbacks": "a script has the callback contact (docs/scripts.md)",
}


def vec3(values):
    value = Orrery.Vec3()
    value.x, value.y, value.z = values
    return value


def quat(values):
    value = Orrery.Quat()
    value.w, value.x, value.y, value.z = values
    return value


def transform(position, rotation):
    value = Orrery.Transform()
    value.position, value.rotation = vec3(position), quat(rotation)
    return value


def to_transform(position, rotation):
    matrix = rotation.to_matrix().to_4x4()
    matrix.translation = position
    return matrix


def point_of(value):
    return value._world_pose()[0] if isinstance(value, SceneObject) else Vector(value)


def to_rotation(value):
    """A quaternion of a rotation in any form, three angles or rows of a matrix."""
    if isinstance(value, Quaternion):
        return value.normalized()
    if isinstance(value, (Euler, Matrix)):
        return value.to_quaternion()
    values = list(value)
    if len(values) == 4:
        return Quaternion(values).normalized()
    return (Euler(values) if not hasattr(values[0], "__len__") else Matrix(values)).to_quaternion()


class SceneObject:
    """One object; the same one is the same stand-in."""

    def __init__(self, stage, inner):
        self._stage, self._inner, self._index = stage, inner, inner.get_index()
        self._staged, self._of_tick = {}, None
        self.own = {}  # properties that MORSE's own builder gives every component

    def __repr__(self):
        return "<object %s>" % self.name

    def __deepcopy__(self, memo):
        return self

    __copy__ = lambda self: self

    def __getattr__(self, name):
        if name in BLENDER:
            raise BlenderOnly("%s.%s (%s)" % (self.name, name, BLENDER[name]), INSTEAD.get(BLENDER[name], ""))
        if name.startswith("_"):
            raise AttributeError(name)
        raise BlenderOnly("%s.%s" % (self.name, name))

    @property
    def name(self):
        """The full name of a component; anything else is called as in its file."""
        inner = self._inner
        return inner.get_name() if inner.is_component() else inner.get_basename()

    def is_called(self, key):
        return key in (self.name, self._inner.get_name())

    def __str__(self):
        return self.name

    # --- properties ---

    def get(self, name, default=None):
        if name in self.own:
            return self.own[name]
        value = self._inner.get_value(name)
        return default if value is None else value.unpack()

    def __getitem__(self, name):
        value = self.get(name, KeyError)
        if value is KeyError:
            raise KeyError("%s has no property %s" % (self.name, name))
        return value

    def __setitem__(self, name, value):
        self.own.pop(name, None)
        self._inner.set_value(name, to_variant(plain(value)))

    def __delitem__(self, name):
        self.own.pop(name, None)
        self._inner.set_value(name, None)

    def __contains__(self, name):
        return name in self.own or self._inner.get_value(name) is not None

    def getPropertyNames(self):
        return sorted(set(self._inner.get_value_names()) | set(self.own))

    # --- the tree ---

    @property
    def parent(self):
        return self._stage.object_of(self._inner.get_parent())

    @property
    def children(self):
        return ObjectList(self._stage.object_of(child) for child in self._inner.get_children())

    @property
    def childrenRecursive(self):
        found = ObjectList()
        for child in self.children:
            found.append(child)
            found.extend(child.childrenRecursive)
        return found

    # --- pose ---

    def _live(self, kind, name, read):
        return kind(read, lambda value: setattr(self, name, value))

    def _recall(self):
        """What was set in this tick."""
        number = self._stage.number
        if self._of_tick != number:
            self._staged.clear()
            self._of_tick = number
        return self._staged

    def pose_numbers(self):
        """x y z, and w x y z of the rotation, in the world, at the begin of the tick."""
        pose = self._stage.snapshot.get_pose(self._index)
        at, turn = pose.position, pose.rotation
        return (at.x, at.y, at.z), (turn.w, turn.x, turn.y, turn.z)

    def _world_pose(self):
        staged = self._recall().get("pose")
        if staged is not None:
            return staged
        position, rotation = self.pose_numbers()
        return Vector(position), Quaternion(rotation)

    def _stage_pose(self, position, rotation, keeps_velocity=True):
        self._recall()["pose"] = (Vector(position), rotation)
        parent = self.parent
        if parent is not None:
            origin, turn = parent._world_pose()
            back = turn.conjugated()
            position, rotation = back * (Vector(position) - origin), back * rotation
        staged = self._stage.commands
        (staged.move if keeps_velocity else staged.set_pose)(self._inner, transform(position, rotation))

    @property
    def worldPosition(self):
        return self._live(LiveVector, "worldPosition", lambda: self._world_pose()[0])

    @worldPosition.setter
    def worldPosition(self, value):
        self._stage_pose(Vector(value), self._world_pose()[1])

    @property
    def worldOrientation(self):
        return self._live(LiveMatrix, "worldOrientation", lambda: self._world_pose()[1].to_matrix())

    @worldOrientation.setter
    def worldOrientation(self, value):
        self._stage_pose(self._world_pose()[0], to_rotation(value))

    @property
    def worldTransform(self):
        return self._live(LiveMatrix, "worldTransform", lambda: to_transform(*self._world_pose()))

    @worldTransform.setter
    def worldTransform(self, value):
        matrix = Matrix(value)
        self._stage_pose(matrix.to_translation(), matrix.to_quaternion())

    def _local_pose(self):
        position, rotation = self._world_pose()
        parent = self.parent
        if parent is None:
            return position, rotation
        origin, turn = parent._world_pose()
        back = turn.conjugated()
        return back * (position - origin), back * rotation

    def _set_local(self, position, rotation):
        parent = self.parent
        if parent is not None:
            origin, turn = parent._world_pose()
            position, rotation = origin + turn * position, turn * rotation
        self._stage_pose(position, rotation)

    @property
    def localPosition(self):
        return self._live(LiveVector, "localPosition", lambda: self._local_pose()[0])

    @localPosition.setter
    def localPosition(self, value):
        self._set_local(Vector(value), self._local_pose()[1])

    @property
    def localOrientation(self):
        return self._live(LiveMatrix, "localOrientation", lambda: self._local_pose()[1].to_matrix())

    @localOrientation.setter
    def localOrientation(self, value):
        self._set_local(self._local_pose()[0], to_rotation(value))

    @property
    def localTransform(self):
        return self._live(LiveMatrix, "localTransform", lambda: to_transform(*self._local_pose()))

    @localTransform.setter
    def localTransform(self, value):
        matrix = Matrix(value)
        self._set_local(matrix.to_translation(), matrix.to_quaternion())

    position, orientation = localPosition, localOrientation
    localScale = worldScale = scaling = property(lambda self: Vector((1.0, 1.0, 1.0)))

    def getAxisVect(self, vector):
        return self._world_pose()[1] * Vector(vector)

    def applyMovement(self, movement, local=False):
        position, rotation = self._world_pose()
        self._stage_pose(position + (rotation * Vector(movement) if local else Vector(movement)), rotation)

    def applyRotation(self, rotation, local=False):
        """By Euler angles, as Blender takes them."""
        position, turn = self._world_pose()
        by = Euler(rotation).to_quaternion()
        self._stage_pose(position, turn * by if local else by * turn)

    def getDistanceTo(self, other):
        return self.getVectTo(other)[0]

    def getVectTo(self, other):
        """Distance, direction in the world, direction in this object's axes."""
        target = other._world_pose()[0] if isinstance(other, SceneObject) else Vector(other)
        position, rotation = self._world_pose()
        way = target - position
        direction = way.normalized()
        return way.length, direction, rotation.conjugated() * direction

    # --- physics ---

    def _velocity(self, which):
        staged = self._recall().get(which)
        if staged is not None:
            return staged
        snapshot = self._stage.snapshot
        read = snapshot.get_linear_velocity if which == "linear" else snapshot.get_angular_velocity
        value = read(self._index)
        return Vector((value.x, value.y, value.z))

    def _set_velocity(self, which, value):
        self._recall()[which] = Vector(value)
        self._stage.commands.set_velocity(self._inner, vec3(self._velocity("linear")), vec3(self._velocity("angular")))

    def _in_axes(self, value):
        return self._world_pose()[1].conjugated() * value

    @property
    def worldLinearVelocity(self):
        return self._live(LiveVector, "worldLinearVelocity", lambda: self._velocity("linear"))

    @worldLinearVelocity.setter
    def worldLinearVelocity(self, value):
        self._set_velocity("linear", value)

    @property
    def worldAngularVelocity(self):
        return self._live(LiveVector, "worldAngularVelocity", lambda: self._velocity("angular"))

    @worldAngularVelocity.setter
    def worldAngularVelocity(self, value):
        self._set_velocity("angular", value)

    @property
    def localLinearVelocity(self):
        return self._live(LiveVector, "localLinearVelocity", lambda: self._in_axes(self._velocity("linear")))

    @localLinearVelocity.setter
    def localLinearVelocity(self, value):
        self._set_velocity("linear", self._world_pose()[1] * Vector(value))

    @property
    def localAngularVelocity(self):
        return self._live(LiveVector, "localAngularVelocity", lambda: self._in_axes(self._velocity("angular")))

    @localAngularVelocity.setter
    def localAngularVelocity(self, value):
        self._set_velocity("angular", self._world_pose()[1] * Vector(value))

    linearVelocity, angularVelocity = localLinearVelocity, localAngularVelocity

    def getLinearVelocity(self, local=False):
        return self.localLinearVelocity if local else self.worldLinearVelocity

    def setLinearVelocity(self, velocity, local=False):
        setattr(self, "localLinearVelocity" if local else "worldLinearVelocity", velocity)

    def getAngularVelocity(self, local=False):
        return self.localAngularVelocity if local else self.worldAngularVelocity

    def setAngularVelocity(self, velocity, local=False):
        setattr(self, "localAngularVelocity" if local else "worldAngularVelocity", velocity)

    def getVelocity(self, point=(0.0, 0.0, 0.0)):
        """Of a point of the object, in the world."""
        arm = self._world_pose()[1] * Vector(point)
        return self._velocity("linear") + self._velocity("angular").cross(arm)

    def applyForce(self, force, local=False):
        """N at the centre of mass, for this tick."""
        self._push(self._turned(force, local), Vector())

    def applyTorque(self, torque, local=False):
        self._push(Vector(), self._turned(torque, local))

    def applyImpulse(self, point, impulse, local=False):
        """Spread over this tick: what has moved at its end is the same."""
        dt = self._stage.dt
        if dt <= 0.0:
            raise RuntimeError("applyImpulse: before the first tick")
        position = self._world_pose()[0]
        impulse = self._turned(impulse, local)
        arm = self._turned(point, True) if local else Vector(point) - position
        self._push(impulse / dt, arm.cross(impulse) / dt)

    def _turned(self, vector, local):
        return self._world_pose()[1] * Vector(vector) if local else Vector(vector)

    def _push(self, force, torque):
        self._stage.commands.add_force(self._inner, vec3(force), vec3(torque))

    @property
    def mass(self):
        return self._inner.get_mass()

    @property
    def localInertia(self):
        if self._stage.tick is None and self._stage.setup is not None:
            self._stage.setup.reckon_inertia()
        value = self._inner.get_inertia()
        return Vector((value.x, value.y, value.z))

    def getPhysicsId(self):
        """Not 0 where physics moves the object."""
        return self._index + 1 if self.mass > 0.0 else 0

    def suspendDynamics(self, ghost=False):
        self._stage.commands.set_dynamics(self._inner, False)

    def restoreDynamics(self):
        self._stage.commands.set_dynamics(self._inner, True)

    # --- what is seen ---

    @property
    def visible(self):
        return self._inner.is_visible()

    @visible.setter
    def visible(self, value):
        self.setVisible(value)

    def setVisible(self, visible, recursive=False):
        for each in [self] + (self.childrenRecursive if recursive else []):
            self._stage.commands.set_visible(each._inner, bool(visible))

    def rayCast(self, objto, objfrom=None, dist=0.0, prop="", face=0, xray=0, poly=0):
        """Object, point and normal of what a ray meets first, each None if it meets nothing; with `prop` only an object
        that has that property counts, and with `xray` others do not stand in the way. The own robot is passed through: in
        Blender a ray that begins in a body does not meet it."""
        start = self._world_pose()[0] if objfrom is None else point_of(objfrom)
        way = point_of(objto) - start
        far = abs(dist) if dist else way.length
        near = 0.0
        while far > near:
            found = self._stage.cast(start, way, near, far, self._own_robot()._inner)
            if found is None or not prop or prop in found[0]:
                break
            if not xray:
                found = None
                break
            near = (found[1] - start).length + NEXT
            found = None
        else:
            found = None
        found = found or (None, None, None)
        return found + (None,) * poly if poly else found

    def _own_robot(self):
        root = self
        while root.parent is not None:
            root = root.parent
        return root if "Robot_Tag" in root else self

    def rayCastTo(self, other, dist=0.0, prop=""):
        return self.rayCast(other, None, dist, prop)[0]

    def _no_tree(self, what):
        raise BlenderOnly("%s.%s" % (self.name, what), "the tree of a scene stays as it is")

    def setParent(self, parent, compound=True, ghost=True):
        self._no_tree("setParent")

    def removeParent(self):
        self._no_tree("removeParent")

    def endObject(self):
        self._no_tree("endObject")


class ObjectList(list):
    """Objects by index and by name."""

    def __getitem__(self, key):
        if not isinstance(key, str):
            return super().__getitem__(key)
        for each in self:
            if each.is_called(key):
                return each
        raise KeyError("no object %s" % key)

    def __contains__(self, key):
        return any(each.is_called(key) for each in self) if isinstance(key, str) else super().__contains__(key)

    def get(self, key, default=None):
        try:
            return self[key]
        except (KeyError, IndexError):
            return default


