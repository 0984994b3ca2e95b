# SPDX-License-Identifier: BSD-3-Clause
# The program: a subcommand is a file here, a line in commands.h, one in the table of main.c, one in
# help/topics.c with the pages that explain it, and a word in data/man/local.mk;
# batch/, recording/ (a file for each verb) and replay/ hold what these commands are made of,
# help/ and doctor/ what the program says of itself and of where it runs, support/ what subcommands share.

noinst_LIBRARIES += %D%/libcli.a
%C%_libcli_a_SOURCES = \
  %D%/batch.c \
  %D%/build.c \
  %D%/call.c \
  %D%/check.c \
  %D%/diff.c \
  %D%/doctor.c \
  %D%/echo.c \
  %D%/help.c \
  %D%/main.c \
  %D%/messages.c \
  %D%/morse-root.c \
  %D%/new.c \
  %D%/order.c \
  %D%/plugins.c \
  %D%/python.c \
  %D%/render.c \
  %D%/replay.c \
  %D%/run.c \
  %D%/commands.h \
  %D%/batch/arrays.c \
  %D%/batch/batch.h \
  %D%/batch/cases.c \
  %D%/batch/claims.c \
  %D%/batch/draw.c \
  %D%/batch/engine.c \
  %D%/batch/failures.c \
  %D%/batch/job.c \
  %D%/batch/launcher.c \
  %D%/batch/limits.c \
  %D%/batch/lock.c \
  %D%/batch/options.c \
  %D%/batch/plan.c \
  %D%/batch/plan.h \
  %D%/batch/plots.c \
  %D%/batch/progress.c \
  %D%/batch/remote.c \
  %D%/batch/report.c \
  %D%/batch/run.c \
  %D%/batch/runs.c \
  %D%/batch/scene.c \
  %D%/batch/server.c \
  %D%/batch/shared.c \
  %D%/batch/slurm.c \
  %D%/batch/sweep.c \
  %D%/batch/tables.c \
  %D%/batch/tries.c \
  %D%/doctor/doctor.h \
  %D%/doctor/graphics.c \
  %D%/doctor/libraries.c \
  %D%/doctor/plugins.c \
  %D%/doctor/probe.c \
  %D%/doctor/python.c \
  %D%/doctor/report.c \
  %D%/doctor/speed.c \
  %D%/doctor/system.c \
  %D%/help/candidates.c \
  %D%/help/complete.c \
  %D%/help/help.h \
  %D%/help/line.c \
  %D%/help/man-page.c \
  %D%/help/manual.c \
  %D%/help/page.c \
  %D%/help/parts.c \
  %D%/help/sources.c \
  %D%/help/tables.c \
  %D%/help/topics.c \
  %D%/recording/cat.c \
  %D%/recording/compare-fields.c \
  %D%/recording/compare-poses.c \
  %D%/recording/compare-report.c \
  %D%/recording/compare.c \
  %D%/recording/compare.h \
  %D%/recording/copy.c \
  %D%/recording/csv.c \
  %D%/recording/export.c \
  %D%/recording/filter.c \
  %D%/recording/info.c \
  %D%/recording/merge.c \
  %D%/recording/recording.h \
  %D%/recording/recover.c \
  %D%/recording/select.c \
  %D%/recording/verbs.c \
  %D%/replay/beside.c \
  %D%/replay/calls.c \
  %D%/replay/check.c \
  %D%/replay/inputs.c \
  %D%/replay/lead.c \
  %D%/replay/player.c \
  %D%/replay/replay.h \
  %D%/replay/scene.c \
  %D%/replay/settings.c \
  %D%/support/arguments.c \
  %D%/support/builder.c \
  %D%/support/checkpoint.c \
  %D%/support/cli.h \
  %D%/support/client.c \
  %D%/support/client.h \
  %D%/support/control.c \
  %D%/support/demo.c \
  %D%/support/describe.c \
  %D%/support/interpreter.c \
  %D%/support/log.c \
  %D%/support/mapping.c \
  %D%/support/metrics.c \
  %D%/support/missing.c \
  %D%/support/model.c \
  %D%/support/observers.c \
  %D%/support/origins.c \
  %D%/support/output.c \
  %D%/support/record.c \
  %D%/support/report.c \
  %D%/support/result.c \
  %D%/support/scene.c \
  %D%/support/settings.c \
  %D%/support/strict.c \
  %D%/support/table.c \
  %D%/support/temporary.c \
  %D%/support/view.c
%C%_libcli_a_CPPFLAGS = $(AM_CPPFLAGS) -DG_LOG_DOMAIN=\"orrery\" -DORRERY_PYTHON=\"$(PYTHON)\" \
  -DSANITIZER_RUNTIME=\"$(SANITIZER_RUNTIME)\" -DORRERY_DOCDIR_FROM_PREFIX='"$(DOCDIR_FROM_PREFIX)"'

bin_PROGRAMS += bin/orrery
bin_orrery_SOURCES = %D%/program.c
bin_orrery_LDADD = %D%/libcli.a lib/liborrery-1.so $(GLIB_LIBS)
# The first place is the installed one's, the second the build tree's.
bin_orrery_LDFLAGS = $(AM_LDFLAGS) -Wl,-rpath,'$$ORIGIN/$(LIBDIR_FROM_BINDIR)' -Wl,-rpath,'$$ORIGIN/../lib'

# The same for Python, which calls it where a scene has classes in Python.
all-local: lib/orrery-1/orrery-cli.so
lib/orrery-1/orrery-cli.so: %D%/libcli.a lib/liborrery-1.so
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(AM_CFLAGS) $(CFLAGS) $(LDFLAGS) $(SANITIZER_FLAGS) -shared -Wl,-rpath,'$$ORIGIN/..' \
	  -Wl,--whole-archive $< -Wl,--no-whole-archive -o $@ lib/liborrery-1.so $(GLIB_LIBS) $(LIBS)
CLEANFILES += lib/orrery-1/orrery-cli.so

install-exec-local: install-cli
install-cli: lib/orrery-1/orrery-cli.so
	$(MKDIR_P) "$(DESTDIR)$(libdir)/orrery-1"
	$(INSTALL_PROGRAM) lib/orrery-1/orrery-cli.so "$(DESTDIR)$(libdir)/orrery-1/orrery-cli.so"
.PHONY: install-cli

all-local: orrery
orrery: bin/orrery
	$(AM_V_GEN)rm -f $@ && $(LN_S) bin/orrery $@
CLEANFILES += orrery

# What `orrery new` fills in.
templatesdir = $(orrerydatadir)/templates
dist_templates_DATA = \
  %D%/templates/actuator.c.in \
  %D%/templates/actuator.py.in \
  %D%/templates/actuator-test.py.in \
  %D%/templates/common-py.mk.in \
  %D%/templates/common-test.py.in \
  %D%/templates/datastream.py.in \
  %D%/templates/datastream-test.py.in \
  %D%/templates/modifier.py.in \
  %D%/templates/modifier-test.py.in \
  %D%/templates/overlay.py.in \
  %D%/templates/overlay-test.py.in \
  %D%/templates/physics.py.in \
  %D%/templates/physics-test.py.in \
  %D%/templates/request_manager.py.in \
  %D%/templates/request_manager-test.py.in \
  %D%/templates/robot.py.in \
  %D%/templates/robot-test.py.in \
  %D%/templates/script.py.in \
  %D%/templates/script-test.py.in \
  %D%/templates/sensor.py.in \
  %D%/templates/sensor-test.py.in \
  %D%/templates/actuator-test.c.in \
  %D%/templates/common-test.c.in \
  %D%/templates/common.mk.in \
  %D%/templates/datastream.c.in \
  %D%/templates/datastream-test.c.in \
  %D%/templates/modifier.c.in \
  %D%/templates/modifier-test.c.in \
  %D%/templates/overlay.c.in \
  %D%/templates/overlay-test.c.in \
  %D%/templates/physics.c.in \
  %D%/templates/physics-test.c.in \
  %D%/templates/request_manager.c.in \
  %D%/templates/request_manager-test.c.in \
  %D%/templates/robot.json.in \
  %D%/templates/robot-test.c.in \
  %D%/templates/script.c.in \
  %D%/templates/script-test.c.in \
  %D%/templates/sensor.c.in \
  %D%/templates/sensor-test.c.in

all-local: share/orrery-1/templates
share/orrery-1/templates:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && rm -f $@ && $(LN_S) '$(abs_top_srcdir)/%D%/templates' $@
CLEANFILES += share/orrery-1/templates
