# SPDX-License-Identifier: BSD-3-Clause
# The program: a subcommand is a file here and a line in the table of main.c.

bin_PROGRAMS += bin/orrery
bin_orrery_SOURCES = \
  %D%/arguments.c \
  %D%/build.c \
  %D%/builder.c \
  %D%/call.c \
  %D%/check.c \
  %D%/cli.h \
  %D%/client.c \
  %D%/client.h \
  %D%/control.c \
  %D%/demo.c \
  %D%/diff.c \
  %D%/echo.c \
  %D%/log.c \
  %D%/main.c \
  %D%/output.c \
  %D%/plugins.c \
  %D%/python.c \
  %D%/report.c \
  %D%/run.c \
  %D%/scene.c
bin_orrery_CPPFLAGS = $(AM_CPPFLAGS) -DG_LOG_DOMAIN=\"orrery\" -DORRERY_PYTHON=\"$(PYTHON)\"
bin_orrery_LDADD = -Llib -lorrery-1 $(GLIB_LIBS)
# The first place is the build tree's, the second the installed one's.
bin_orrery_LDFLAGS = $(AM_LDFLAGS) -Wl,-rpath,'$$ORIGIN/../lib' -Wl,-rpath,'$$ORIGIN/$(LIBDIR_FROM_BINDIR)'
EXTRA_bin_orrery_DEPENDENCIES = lib/liborrery-1.so

all-local: orrery
orrery: bin/orrery
	$(AM_V_GEN)rm -f $@ && $(LN_S) bin/orrery $@
CLEANFILES += orrery
