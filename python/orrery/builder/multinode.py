# SPDX-License-Identifier: BSD-3-Clause
"""A scene of several nodes: which robots this one runs, and where it meets the others."""

from __future__ import annotations

import os
import socket
from typing import Any, Dict, List, Optional

from . import session
from .abstractcomponent import describe_script
from .errors import BuilderError, MissingError, hint
from .morsebuilder import Robot
from .values import one_of, plain

PROTOCOLS = ("socket", "hla")
SCRIPT = "orrery.scripts.multinode.Multinode"


def node_name(given: Optional[str]) -> str:
    """The name of this node: as given, of MORSE_NODE, or of the machine."""
    return given or os.environ.get("MORSE_NODE") or socket.gethostname()


def read(
    protocol: str,
    server_address: str,
    server_port: Any,
    distribution: Optional[Dict[str, List[str]]],
) -> Dict[str, Any]:
    """What a script says of the nodes, checked."""
    where = "configure_multinode"
    try:
        port = int(server_port)
    except (TypeError, ValueError):
        port = 0
    if not 1 <= port <= 65535:
        raise BuilderError("%s: no port %r; want 1 to 65535" % (where, server_port))
    if one_of(protocol, PROTOCOLS, where + ": protocol") != "socket":
        raise MissingError("%s: no class connects nodes over %s; there is socket" % (where, protocol))
    return {
        "Address": plain(server_address, where + ": server_address"),
        "Port": port,
        "distribution": _checked(distribution, where + ": distribution"),
    }


def describe(nodes: Dict[str, Any], name: Optional[str]) -> Dict[str, Any]:
    """The add-on that meets the other nodes; leaves out what is theirs."""
    node = node_name(name)
    robots = _robots()
    if nodes["distribution"] is not None:
        robots = distribute(node, nodes["distribution"], robots)
    properties = {
        "Node": node,
        "Robots": ",".join(robots),
        "Address": nodes["Address"],
        "Port": nodes["Port"],
    }
    return describe_script("configure_multinode", SCRIPT, properties, {})


def _robots() -> Dict[str, Robot]:
    return {
        component.name: component
        for component in session.current().components
        if isinstance(component, Robot) and component.parent is None
    }


def _checked(distribution: Any, where: str) -> Optional[Dict[str, List[str]]]:
    if distribution is None:
        return None
    if not isinstance(distribution, dict) or not all(
        isinstance(robots, (list, tuple, str)) for robots in distribution.values()
    ):
        raise BuilderError("%s: want the names of robots by node, not %r" % (where, distribution))
    return {
        str(plain(node, where)): [
            str(plain(robot, where))
            for robot in ([robots] if isinstance(robots, str) else robots)
        ]
        for node, robots in distribution.items()
    }


def distribute(
    node: str, distribution: Dict[str, List[str]], robots: Dict[str, Robot]
) -> Dict[str, Robot]:
    """The robots of this node; what the others have of streams and services is left out."""
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
            robot._leave_to_others()
    return {name: robots[name] for name in own}
