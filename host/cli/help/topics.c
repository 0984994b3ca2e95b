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
  { "MORSE_RESOURCE_PATH",
    "Directories, separated by colons, that are searched for models of scenes." },
  { "XDG_DATA_HOME", "Where orrery/plugins has the user's plugins; ~/.local/share." },
  { "XDG_CACHE_HOME", "Where orrery/meshes has meshes for viewers of ROS 2; ~/.cache." },
  { "NO_COLOR", "If it is set and not empty, output has no colours." },
  { "TERM", "If it is dumb, output has no colours either." },
  { "SOURCE_DATE_EPOCH", "Seconds; the date of a manual page that `orrery man-page` writes." },
  { NULL, NULL },
};

const CliTopic cli_files[] = {
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
