# SPDX-License-Identifier: BSD-3-Clause
# One name per line: plugins/observers/NAME.c builds orrery/observers/NAME.so.
observers_plugins =
observers_plugins += recorder
if HAVE_PIXBUF
observers_plugins += film
endif

MODULES += $(observers_plugins:%=$(PLUGINTREE)/orrery/observers/%.so)
EXTRA_DIST += $(observers_plugins:%=%D%/%.c)

recorder_files = faults file form foxglove kept last log pack picture queue replay save states
$(PLUGINTREE)/orrery/observers/recorder.so: $(recorder_files:%=%D%/recorder-%.module.o)
$(PLUGINTREE)/orrery/observers/recorder.so: MODULE_LIBS = $(PIXBUF_LIBS)
%D%/recorder-picture.module.o: MODULE_CPPFLAGS += $(PIXBUF_CFLAGS)
EXTRA_DIST += $(recorder_files:%=%D%/recorder-%.c)
noinst_HEADERS += $(recorder_files:%=%D%/recorder-%.h)

$(PLUGINTREE)/orrery/observers/film.so: MODULE_LIBS = $(PIXBUF_LIBS)
$(PLUGINTREE)/orrery/observers/film.so: %D%/film-file.module.o %D%/film-view.module.o
%D%/film-file.module.o: MODULE_CPPFLAGS += $(PIXBUF_CFLAGS)
EXTRA_DIST += %D%/film.c %D%/film-file.c %D%/film-view.c
noinst_HEADERS += %D%/film-file.h %D%/film-view.h
