# SPDX-License-Identifier: BSD-3-Clause
# One name per line: plugins/observers/NAME.c builds orrery/observers/NAME.so.
observers_plugins =
observers_plugins += recorder
if HAVE_PIXBUF
observers_plugins += film
endif

MODULES += $(observers_plugins:%=$(PLUGINTREE)/orrery/observers/%.so)
EXTRA_DIST += $(observers_plugins:%=%D%/%.c)

$(PLUGINTREE)/orrery/observers/recorder.so: %D%/recorder-file.module.o %D%/recorder-kept.module.o \
  %D%/recorder-log.module.o %D%/recorder-queue.module.o %D%/recorder-replay.module.o \
  %D%/recorder-states.module.o
EXTRA_DIST += %D%/recorder-file.c %D%/recorder-kept.c %D%/recorder-log.c %D%/recorder-queue.c \
  %D%/recorder-replay.c %D%/recorder-states.c
noinst_HEADERS += %D%/recorder-file.h %D%/recorder-kept.h %D%/recorder-log.h %D%/recorder-queue.h \
  %D%/recorder-replay.h %D%/recorder-states.h

$(PLUGINTREE)/orrery/observers/film.so: MODULE_LIBS = $(PIXBUF_LIBS)
$(PLUGINTREE)/orrery/observers/film.so: %D%/film-file.module.o %D%/film-view.module.o
%D%/film-file.module.o: MODULE_CPPFLAGS += $(PIXBUF_CFLAGS)
EXTRA_DIST += %D%/film.c %D%/film-file.c %D%/film-view.c
noinst_HEADERS += %D%/film-file.h %D%/film-view.h
