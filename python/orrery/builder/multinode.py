# SPDX-License-Identifier: BSD-3-Clause
"""A scene of several nodes: which robots this one runs, and where it meets the others."""

from __future__ import annotations

import os
import socket
from typing import Any, Dict, List, Optional

from . import session
from .errors import BuilderError, hint
from .morsebuilder import Robot
from .values import one_of, plain

PROTOCOLS = ("socket", "hla")


def node_name(given: Optional[str]) -> str:
    """The name of this node: as given, of MORSE_NODE, or of the machine."""
    return given or os.environ.get("MORSE_NODE") or socket.gethostname()


def describe(
    protocol: str,
    server_address: str,
    server_port: Any,
    distribution: Optional[Dict[str, List[str]]],
) -> Dict[str, Any]:
    """The key `multinode` of the environment, without the node's name."""
    where = "configure_multinode"
    try:
        port = int(server_port)
    except (TypeError, ValueError):
        port = 0
    if not 1 <= port <= 65535:
        raise BuilderError("%s: no port %r; want 1 to 65535" % (where, server_port))
    keys = {
        "protocol": one_of(protocol, PROTOCOLS, where + ": protocol"),
        "server_address": plain(server_address, where + ": server_address"),
        "server_port": port,
        "distribution": _checked(distribution, where + ": distribution"),
    }
    return {key: value for key, value in keys.items() if value is not None}


def _checked(distribution: Any, where: str) -> Optional[Dict[str, List[str]]]:
    if distribution is None:
        return None
    if not isinstance(distribution, dict) or not all(
        isinstance(robots, (list, tuple)) for robots in distribution.values()
    ):
        raise BuilderError("%s: want the names of robots by node, not %r" % (where, distribution))
    return {
        str(plain(node, where)): [str(plain(robot, where)) for robot in robots]
        for node, robots in distribution.items()
    }


def distribute(node: str, distribution: Dict[str, List[str]]) -> None:
    """Leaves to others the robots that are not this node's."""
    robots = {
        component.name: component
        for component in session.current().components
        if isinstance(component, Robot) and component.parent is None
    }
    for name in [name for names in distribution.values() for name in names]:
        if name not in robots:
            raise BuilderError(
                "configure_multinode: no robot %s in the scene%s" % (name, hint(name, robots))
            )
    if node not in distribution:
        session.current().warn(
            "multinode", "configure_multinode: the node %s runs no robot of the scene" % node
        )
    own = distribution.get(node, [])
    for name, robot in robots.items():
        if name not in own:
            robot.make_external()
