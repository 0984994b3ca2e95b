/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of what holds for all commands: exit codes, environment, files, pages of the manual. */
#include "help.h"

#include <string.h>

const CliTopic cli_exit_codes[] = {
  { "0", "ended as asked" },
  { "1", "the command compares or checks, and found a difference" },
  { "64", "usage" },
  { "65", "configuration" },
  { "66", "a file is missing" },
  { "69", "a plugin or service is missing" },
  { "70", "internal" },
  { "71", "the system gives no thread or file" },
  { "74", "input or output" },
  { "129, 130 and 143", "ended by SIGHUP, SIGINT and SIGTERM" },
  { NULL, NULL },
};

const CliTopic cli_environment[] = {
  { "ORRERY_PLUGIN_PATH", "Directories, separated by colons, that are searched for plugins after "
                          "those of --plugin-dir." },
  { "ORRERY_MESSAGE_PATH",
    "Directories, separated by colons, that are searched for definitions of messages first." },
  { "ORRERY_PYTHON",
    "The interpreter for builder scripts and classes in Python; by default that of the active "
    "virtual environment, else the one that Orrery was built for." },
  { "VIRTUAL_ENV", "The virtual environment that is active." },
  { "ORRERY_PROGRAM",
    "The program that a builder script asks for the classes, and that the command "
    "`morse` of `orrery morse-root` starts; by default the one installed." },
  { "MORSE_RESOURCE_PATH",
    "Directories, separated by colons, that are searched for models of scenes." },
  { "MORSE_ROOT", "The prefix of an installed MORSE: scenes find the models of its "
                  "share/morse/data." },
  { "MORSE_NODE", "The name of this node in a scene of several; by default that of the machine." },
  { "ROS_PACKAGE_PATH",
    "Directories, separated by colons, that are searched for packages of ROS 1: "
    "definitions of messages, and files that a URDF names." },
  { "AMENT_PREFIX_PATH", "The same for ROS 2: prefixes, below whose share/ packages are." },
  { "GAZEBO_MODEL_PATH", "Directories that are searched for files that a URDF names." },
  { "GZ_SIM_RESOURCE_PATH", "The same." },
  { "ROS_MASTER_URI", "The address of the master of ROS 1; http://localhost:11311." },
  { "ROS_HOSTNAME", "The name of this machine for other nodes of ROS 1; else ROS_IP." },
  { "ROS_IP", "The address of this machine for other nodes of ROS 1; 127.0.0.1." },
  { "ROS_DOMAIN_ID", "The domain of DDS, 0 to 232; 0." },
  { "ROS_AUTOMATIC_DISCOVERY_RANGE",
    "Who is found by DDS: SUBNET, LOCALHOST, OFF or SYSTEM_DEFAULT; LOCALHOST." },
  { "ROS_LOCALHOST_ONLY", "If it is 1, only this machine; of older distributions of ROS 2." },
  { "ROS_STATIC_PEERS", "Addresses that are asked beside what is found, separated by semicolons." },
  { "XDG_DATA_HOME", "Where orrery/plugins has the user's plugins; ~/.local/share." },
  { "XDG_CACHE_HOME", "Where orrery/meshes has meshes for viewers of ROS 2; ~/.cache." },
  { "NO_COLOR", "If it is set and not empty, output has no colours." },
  { "TERM", "If it is dumb, output has no colours either." },
  { "SOURCE_DATE_EPOCH", "Seconds; the date of a manual page that `orrery man-page` writes." },
  { NULL, NULL },
};

const CliTopic cli_files[] = {
  { "scene.json", "A scene: its environment and objects. scene.md has the keys, scene.schema.json "
                  "describes them for editors, and builder.md says how a script writes it." },
  { "component_config.py", "The streams, modifiers, services and overlays of a scene as MORSE "
                           "writes them: five tables in Python's syntax, which is read, not run." },
  { "NAME.mcap", "A recording, in the format MCAP; recording.md lists its topics." },
  { "results.csv", "Of `orrery batch`: a row for each run that has a result, with run, the paths "
                   "that vary, seed, exit, ticks, hash and metrics; batch.md." },
  { "runs.csv", "Of `orrery batch`: a row for each run that was tried, with run, tries, exit, "
                "signal, cause, wall, cpu, memory and host; batch.md." },
  { "result.json",
    "Of each run of a batch: exit code, seed, ticks, hash, metrics, times, faults." },
  { "FILE of --hash", "A line for each tick and part that has a record, and one for physics: "
                      "number of the tick, full name, hash as 16 hexadecimal digits. `orrery "
                      "diff` compares two of them; recording.md." },
  { "FILE of --save", "The state of a run between two ticks, which `orrery run --restore` and "
                      "Python's Simulation.restore () take; run.md." },
  { "~/.local/share/orrery/plugins", "The user's plugins." },
  { "/dev/shm", "Memory that Fast DDS shares, over which ROS 2 goes." },
  { NULL, NULL },
};

static const CliTopic pages[] = {
  { "run", "run.md, time.md, builder.md" },
  { "batch", "batch.md" },
  { "build", "builder.md" },
  { "check", "builder.md, robots.md" },
  { "order", "order.md" },
  { "plugins", "plugins.md, components.md" },
  { "messages", "messages.md" },
  { "new", "plugins.md, python.md" },
  { "diff", "recording.md" },
  { "recording", "recording.md" },
  { "replay", "recording.md" },
  { "render", "cameras.md, viewer.md" },
  { "python", "python.md" },
  { "echo", "middleware.md" },
  { "call", "middleware.md" },
  { "doctor", "help.md, security.md" },
  { "help", "help.md" },
  { "morse-root", "builder.md" },
  { NULL, NULL },
};

const char *
cli_topic_find_pages (const char *command)
{
  for (const CliTopic *topic = pages; topic->name != NULL; topic++)
    if (g_str_equal (topic->name, command))
      return topic->words;
  return NULL;
}
