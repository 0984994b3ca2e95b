# SPDX-License-Identifier: BSD-3-Clause
"""The exceptions of `morse.core.exceptions`, and the one for what only Blender has."""


class MorseError(Exception):
    """Anything that goes wrong in a component."""

    def __init__(self, value=""):
        super().__init__(value)
        self.value = value

    def __str__(self):
        return str(self.value)


class MorseEnvironmentError(MorseError):
    pass


class MorseMiddlewareError(MorseError):
    pass


class MorseMultinodeError(MorseError):
    pass


class MorseServiceError(MorseError):
    pass


class MorseRPCInvokationError(MorseServiceError):
    """A service says no: callers get its words."""


class MorseServiceAlreadyRunningError(MorseRPCInvokationError):
    def __init__(self, running_service, value=""):
        super().__init__(value)
        self.service = running_service


class MorseMethodNotFoundError(MorseRPCInvokationError):
    pass


class MorseWrongArgsError(MorseRPCInvokationError):
    pass


class MorseRPCNbArgsError(MorseWrongArgsError):
    pass


class MorseRPCTypeError(MorseWrongArgsError):
    pass


class MorseBuilderError(MorseError):
    pass


class MorseBuilderNoComponentError(MorseBuilderError):
    pass


class MorseBuilderBadSyntaxError(MorseBuilderError):
    pass


class MorseBuilderUnexportableError(MorseBuilderError):
    pass


class BlenderOnly(MorseError, AttributeError):
    """What only Blender can do. To `hasattr` it is an attribute that is not there."""

    def __init__(self, what, instead=""):
        super().__init__("%s: only Blender has it%s" % (what, "; " + instead if instead else ""))


class MorseOnly(BlenderOnly):
    """What MORSE has and Orrery has in another form, or not at all."""

    def __init__(self, what, instead=""):
        MorseError.__init__(self, "%s: it can be imported, but is not here%s" % (what, "; " + instead if instead else ""))
