/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Channels of a test's own, and processes at their other end: the test itself, run as another. */

#include <orrery.h>
#include <signal.h>

#define CHANNEL_TRIAL_SOCKET 3

typedef struct {
  const char *name;
  /* @socket: to the test; @argument: as the test gave it. Returns: the exit code */
  int (*run) (int socket, const char *argument);
} ChannelTrialMode;

typedef struct {
  GPid pid;
  int socket;
} ChannelTrialChild;

/* Whether this process is one of the others; then @code is what main returns. */
gboolean channel_trial_is_child (int argc, char **argv, const ChannelTrialMode *modes, int *code);

/* The program that is run again: argv[0]. */
void channel_trial_init (const char *program);
ChannelTrialChild channel_trial_spawn (const char *mode, const char *argument);
/* @signal: 0 waits for its end. Returns: what waitpid said */
int channel_trial_end (ChannelTrialChild *child, int signal);

/* One byte, as a word between the two; FALSE: the other end is gone */
void channel_trial_say (int socket);
gboolean channel_trial_hear (int socket);
OrreryChannel *channel_trial_receive (int socket);
void channel_trial_send (int socket, OrreryChannel *channel);

OrreryEmitter *channel_trial_emitter (OrreryChannel *channel);
OrreryReceiver *channel_trial_receiver (OrreryChannel *channel);
void channel_trial_emit_number (OrreryEmitter *emitter, guint64 number);
/* Reads, and asserts what came. */
void channel_trial_assert (OrreryReceiver *receiver, OrreryReading reading, guint64 number);

/* Frames that say of each byte whether it belongs to them. */
void channel_trial_fill (guint64 *frame, gsize size, guint64 number);
/* Returns: the number, or 0 if the frame is torn */
guint64 channel_trial_check (const guint64 *frame, gsize size);

/* Descriptors that are open in this process. */
guint channel_trial_count_fds (void);
