# SPDX-License-Identifier: BSD-3-Clause
"""Tasks to learn: each module has `make (**options)` for one environment and `make_vec (num_envs, **options)`.

Options are those of `orrery.gym.Env` and `VectorEnv`, and take the place of the task's own. Where
Gymnasium 1.0 or newer is installed, the tasks are registered by these names.
"""

NAMES = {"orrery/BalancePole-v0": "balance_pole", "orrery/DriveToGoal-v0": "drive_to_goal", "orrery/Reach-v0": "reach"}


def register(gymnasium):
    """Has `gymnasium.make ()` find the tasks by their names."""
    for name, module in NAMES.items():
        if name not in gymnasium.registry:
            gymnasium.register(id=name, entry_point="%s.%s:make" % (__name__, module),
                               vector_entry_point="%s.%s:make_vec" % (__name__, module))
