# SPDX-License-Identifier: BSD-3-Clause
"""How things look at a prompt: what `repr` says of them, and what completion finds."""

from ._values import Orrery, from_variant

# What a component has beside its services, for whoever guesses a name.
OF_COMPONENTS = ("data", "name", "follow", "subscribe", "call", "get_pose", "get_object", "get_record", "get_robot")


def shown(function):
    """A `__repr__` that never raises: what PyGObject says instead, of an object that is half made or gone."""
    def __repr__(thing):
        try:
            words = function(thing)
        except Exception:
            words = None
        return "<%s>" % words if words else object.__repr__(thing)
    return __repr__


def count(n, noun):
    return "%d %s%s" % (n, noun, "" if n == 1 else "s")


def of_simulation(simulation):
    words = "simulation of %s, " % count(len(simulation), "component")
    if getattr(simulation, "_orrery_closed", False):
        return words + "closed"
    return words + "%s at %.6g s (%s)" % (Orrery.state_get_name(simulation.get_state()), simulation.time,
                                         count(simulation.ticks, "tick"))


def of_part(part):
    return "%s: %s" % (part.get_name(), part.get_classpath()) if part.get_name() else None


def of_call(call):
    part = call.get_part()
    words = "%s.%s" % (part.get_name(), call.get_service()) if part is not None else call.get_service()
    if not call.is_done():
        return words + ": not done yet"
    try:
        return "%s: done, %r" % (words, from_variant(call.get_result()))
    except Exception as error:
        return "%s: failed, %s" % (words, getattr(error, "message", error))


def of_record(record):
    return "record %r" % {name: from_variant(record.get_value(name)) for name in record.get_schema().get_names()}


def of_schema(schema):
    return "schema: " + ", ".join("%s %s%s" % (kind, name, " (%s)" % unit if unit else "")
                                  for name, kind, unit, _ in schema.to_variant().unpack())


def of_buffer(buffer):
    sizes = " x ".join(str(buffer.get_length(i)) for i in range(buffer.get_n_dimensions()))
    return "buffer of %s %s" % (sizes, Orrery.element_get_name(buffer.get_element()))


def numbers(name, fields):
    return lambda value: "%s(%s)" % (name, ", ".join("%s=%.6g" % (each, getattr(value, each)) for each in fields))


def of_transform(pose):
    p, (roll, pitch, yaw) = pose.position, pose.rotation.to_euler()
    return "Transform(x=%.6g, y=%.6g, z=%.6g, roll=%.6g, pitch=%.6g, yaw=%.6g)" % (p.x, p.y, p.z, roll, pitch, yaw)


def bare(function):
    """What reads as a call that makes it has no angle brackets."""
    safe = shown(function)
    return lambda value: safe(value)[1:-1] if "(" in safe(value) else safe(value)


def begin_with(*defaults):
    """Makes `Vec3 (1, 2, 3)` what it says, and not three zeros."""
    def __init__(value, *numbers, **named):
        names = [name for name, _ in defaults]
        if len(numbers) > len(names) or set(named) - set(names) or set(named) & set(names[:len(numbers)]):
            raise TypeError("%s: at most %d numbers: %s" % (type(value).__name__, len(names), ", ".join(names)))
        for name, number in {**dict(defaults), **dict(zip(names, numbers)), **named}.items():
            setattr(value, name, number)
    return __init__


def explain_missing(simulation, name):
    """For an attribute that a simulation lacks."""
    if name in simulation.get_component_names():
        return "; a component: sim[%r]" % name
    known = [each for each in dir(type(simulation)) if not each.startswith("_")]
    return Orrery.nearest_names(name, known)


def simulation_getattr(simulation, name):
    if name.startswith("_"):
        raise AttributeError(name)
    raise AttributeError("a simulation has no attribute %s%s" % (name, explain_missing(simulation, name)))


def simulation_setattr(simulation, name, value):
    if not name.startswith("_") and not hasattr(type(simulation), name):
        simulation_getattr(simulation, name)
    plain_setattr(simulation, name, value)


def component_getattr(component, name, simulation):
    """Raises what is said of an attribute that a component has not."""
    full = component.get_name()
    if simulation is not None and "%s.%s" % (full, name) in simulation:
        hint = "; a component: sim[%r]" % ("%s.%s" % (full, name))
    elif name in component.get_record().get_schema().get_names():
        hint = "; a field: .data.%s" % name
    else:
        inner = [each[len(full) + 1:] for each in simulation or () if each.startswith(full + ".")]
        hint = Orrery.nearest_names(name, [*component.get_service_names(), *OF_COMPONENTS, *inner])
    raise AttributeError("%s has neither an attribute nor a service %s%s" % (full, name, hint))


def part_setattr(part, name, value):
    """Of a class in C: what is set by a name that it has not, nobody ever reads."""
    if name.startswith("_") or hasattr(type(part), name):
        plain_setattr(part, name, value)
        return
    if isinstance(part, Orrery.Component):
        # Raises what there is instead, unless it is a service.
        getattr(part, name)
        raise AttributeError("%s: %s is a service and cannot be set" % (part.get_name(), name))
    known = [each for each in dir(type(part)) if not each.startswith("_")]
    raise AttributeError("%s: no attribute %s can be set%s" % (part.get_name(), name, Orrery.nearest_names(name, known)))


def component_dir(component):
    return sorted({*object.__dir__(component), *component.get_service_names()})


plain_setattr = Orrery.Part.__setattr__


def extend(orrery):
    reprs = {"Simulation": of_simulation, "Part": of_part, "Call": of_call, "Record": of_record, "Schema": of_schema,
             "Buffer": of_buffer, "Object": lambda thing: "object %s" % thing.get_name(),
             "World": lambda world: "world of %s" % count(world.get_n_objects(), "object"),
             "Snapshot": lambda snapshot: "snapshot of %s" % count(snapshot.get_n_objects(), "object"),
             "Tick": lambda tick: "tick %d at %.6g s" % (tick.number, tick.time),
             "Scheduler": lambda scheduler: "scheduler of %s" % count(scheduler.get_n_tasks(), "task"),
             "Task": lambda task: "task %s%s" % (task.get_name(), ", ended" if task.is_ended() else ""),
             "Channel": lambda channel: "channel %s, %s" % (channel.get_name(), channel.get_transport().value_nick),
             "Stream": lambda stream: "stream of %s" % stream.get_name()}
    for name, function in reprs.items():
        getattr(orrery, name).__repr__ = shown(function)
    for name, fields in (("Vec3", "xyz"), ("Quat", "wxyz"), ("Euler", ("roll", "pitch", "yaw"))):
        getattr(orrery, name).__repr__ = bare(numbers(name, fields))
        getattr(orrery, name).__init__ = begin_with(*[(each, float(each == "w")) for each in fields])
    orrery.Transform.__repr__ = bare(of_transform)
    orrery.Simulation.__getattr__ = simulation_getattr
    # Of those that are open; looked up in every step.
    orrery.Simulation._orrery_closed = False
    orrery.Simulation._ipython_key_completions_ = lambda self: self.get_component_names()
    orrery.Component.__dir__ = component_dir
    orrery.Simulation.__setattr__ = simulation_setattr
