# SPDX-License-Identifier: BSD-3-Clause
"""Components that were written for MORSE, run by this host.

A class that derives from `morse.core.sensor.Sensor` and its like is a plain Python class. For each the loader makes a
class of the typelib, an adapter, which holds an instance of it: what was declared with `add_data`, `add_property` and
`add_level` becomes a record, properties and levels; marked methods become services; `default_action` is the step.

The packages `morse`, `mathutils` and `bge` that such classes import are ours: see `names`.
"""
