# SPDX-License-Identifier: BSD-3-Clause
# liborrery-1 and the program. Headers listed as public are installed; what ends in -private.h is not.

# One line for each file, so that two people who add one do not meet.
public_headers = %D%/orrery.h
private_headers =
host_sources =

public_headers += %D%/base/orrery-buffer.h
public_headers += %D%/base/orrery-error.h
public_headers += %D%/base/orrery-message.h
public_headers += %D%/base/orrery-node.h
public_headers += %D%/base/orrery-random.h
public_headers += %D%/base/orrery-record.h
public_headers += %D%/base/orrery-schema.h
public_headers += %D%/base/orrery-transform.h
public_headers += %D%/base/orrery-types.h

private_headers += %D%/base/orrery-message-private.h
private_headers += %D%/base/orrery-number-private.h
private_headers += %D%/base/orrery-file-private.h
private_headers += %D%/base/orrery-json-private.h
private_headers += %D%/base/orrery-node-private.h
private_headers += %D%/base/orrery-literal-private.h
private_headers += %D%/base/orrery-record-json-private.h
private_headers += %D%/base/orrery-record-private.h
host_sources += %D%/base/orrery-buffer.c
host_sources += %D%/base/orrery-error.c
host_sources += %D%/base/orrery-file.c
host_sources += %D%/base/orrery-message.c
host_sources += %D%/base/orrery-number.cpp
host_sources += %D%/base/orrery-json.c
host_sources += %D%/base/orrery-node-json.c
host_sources += %D%/base/orrery-node.c
host_sources += %D%/base/orrery-literal-number.c
host_sources += %D%/base/orrery-literal-scan.c
host_sources += %D%/base/orrery-literal-text.c
host_sources += %D%/base/orrery-literal-value.c
host_sources += %D%/base/orrery-literal.c
host_sources += %D%/base/orrery-field.c
host_sources += %D%/base/orrery-field-buffer.c
host_sources += %D%/base/orrery-field-number.c
host_sources += %D%/base/orrery-field-read.c
host_sources += %D%/base/orrery-record-json-buffer.c
host_sources += %D%/base/orrery-record-json-plain.c
host_sources += %D%/base/orrery-record-json-read.c
host_sources += %D%/base/orrery-record-json.c
host_sources += %D%/base/orrery-random.c
host_sources += %D%/base/orrery-record.c
host_sources += %D%/base/orrery-schema.c
host_sources += %D%/base/orrery-transform.c
host_sources += %D%/base/orrery-types.c

public_headers += %D%/roles/orrery-actuator.h
public_headers += %D%/roles/orrery-component.h
public_headers += %D%/roles/orrery-datastream-manager.h
public_headers += %D%/roles/orrery-datastream.h
public_headers += %D%/roles/orrery-importer.h
public_headers += %D%/roles/orrery-log.h
public_headers += %D%/roles/orrery-modifier.h
public_headers += %D%/roles/orrery-overlay.h
public_headers += %D%/roles/orrery-part.h
public_headers += %D%/roles/orrery-physics.h
public_headers += %D%/roles/orrery-plugin.h
public_headers += %D%/roles/orrery-property.h
public_headers += %D%/roles/orrery-raycaster.h
public_headers += %D%/roles/orrery-renderer.h
public_headers += %D%/roles/orrery-request-manager.h
public_headers += %D%/roles/orrery-robot.h
public_headers += %D%/roles/orrery-script.h
public_headers += %D%/roles/orrery-sensor.h
public_headers += %D%/roles/orrery-service.h
public_headers += %D%/roles/orrery-setup.h
public_headers += %D%/run/orrery-channel.h
public_headers += %D%/run/orrery-emitter.h
public_headers += %D%/run/orrery-receiver.h
public_headers += %D%/run/orrery-value.h
public_headers += %D%/wiring/orrery-loader.h
public_headers += %D%/wiring/orrery-options.h
public_headers += %D%/wiring/orrery-registry.h
public_headers += %D%/wiring/orrery-replica.h
public_headers += %D%/wiring/orrery-simulation.h
public_headers += %D%/wiring/orrery-table.h
public_headers += %D%/world/orrery-commands.h
public_headers += %D%/world/orrery-geodesy.h
public_headers += %D%/world/orrery-joint.h
public_headers += %D%/world/orrery-lamp.h
public_headers += %D%/world/orrery-material.h
public_headers += %D%/world/orrery-object.h
public_headers += %D%/world/orrery-shape.h
public_headers += %D%/world/orrery-snapshot.h
public_headers += %D%/world/orrery-tick.h
public_headers += %D%/world/orrery-constraint.h
public_headers += %D%/world/orrery-wheel.h
public_headers += %D%/world/orrery-world.h
public_headers += %D%/world/orrery-zone.h

private_headers += %D%/world/orrery-world-private.h

host_sources += %D%/world/orrery-commands.c
host_sources += %D%/world/orrery-geodesy.c
host_sources += %D%/world/orrery-joint.c
host_sources += %D%/world/orrery-lamp.c
host_sources += %D%/world/orrery-material.c
host_sources += %D%/world/orrery-object.c
host_sources += %D%/world/orrery-shape.c
host_sources += %D%/world/orrery-snapshot.c
host_sources += %D%/world/orrery-tick.c
host_sources += %D%/world/orrery-constraint.c
host_sources += %D%/world/orrery-wheel.c
host_sources += %D%/world/orrery-world-saved.c
host_sources += %D%/world/orrery-world.c
host_sources += %D%/world/orrery-zone.c

host_sources += %D%/roles/orrery-actuator.c
private_headers += %D%/roles/orrery-importer-private.h
private_headers += %D%/roles/orrery-call-private.h
host_sources += %D%/roles/orrery-call.c
private_headers += %D%/roles/orrery-callback-private.h
host_sources += %D%/roles/orrery-callback.c
private_headers += %D%/roles/orrery-component-private.h
host_sources += %D%/roles/orrery-component.c
host_sources += %D%/roles/orrery-datastream-manager.c
host_sources += %D%/roles/orrery-datastream.c
private_headers += %D%/roles/orrery-log-levels-private.h
private_headers += %D%/roles/orrery-modifier-private.h
host_sources += %D%/roles/orrery-importer.c
host_sources += %D%/roles/orrery-log-levels.c
host_sources += %D%/roles/orrery-log.c
host_sources += %D%/roles/orrery-modifier.c
private_headers += %D%/roles/orrery-overlay-private.h
host_sources += %D%/roles/orrery-overlay.c
host_sources += %D%/roles/orrery-param.c
private_headers += %D%/roles/orrery-part-private.h
host_sources += %D%/roles/orrery-part.c
host_sources += %D%/roles/orrery-physics.c
host_sources += %D%/roles/orrery-property.c
private_headers += %D%/roles/orrery-raycaster-private.h
host_sources += %D%/roles/orrery-raycaster.c
private_headers += %D%/roles/orrery-request-manager-private.h
host_sources += %D%/roles/orrery-renderer.c
host_sources += %D%/roles/orrery-request-manager.c
host_sources += %D%/roles/orrery-robot.c
private_headers += %D%/roles/orrery-script-private.h
host_sources += %D%/roles/orrery-script.c
host_sources += %D%/roles/orrery-sensor.c
private_headers += %D%/roles/orrery-setup-private.h
host_sources += %D%/roles/orrery-setup.c
private_headers += %D%/roles/orrery-signature-private.h
host_sources += %D%/roles/orrery-signature.c
private_headers += %D%/roles/orrery-stream-private.h
host_sources += %D%/roles/orrery-stream.c
host_sources += %D%/roles/orrery-variant.c
private_headers += %D%/base/orrery-field-private.h

public_headers += %D%/run/orrery-clock.h
public_headers += %D%/run/orrery-hybrid.h
public_headers += %D%/run/orrery-loop.h
public_headers += %D%/run/orrery-scheduler.h
public_headers += %D%/run/orrery-task.h
private_headers += %D%/run/orrery-clock-private.h
private_headers += %D%/run/orrery-heap-private.h
private_headers += %D%/run/orrery-hybrid-private.h
private_headers += %D%/run/orrery-launch-private.h
private_headers += %D%/run/orrery-packet-private.h
private_headers += %D%/run/orrery-loop-private.h
private_headers += %D%/run/orrery-scheduler-private.h
private_headers += %D%/run/orrery-signals-private.h
private_headers += %D%/run/orrery-waker-private.h
host_sources += %D%/run/orrery-background.c
host_sources += %D%/run/orrery-clock.c
host_sources += %D%/run/orrery-hybrid-process.c
host_sources += %D%/run/orrery-hybrid.c
host_sources += %D%/run/orrery-launch.c
host_sources += %D%/run/orrery-packet.c
host_sources += %D%/run/orrery-loop.c
host_sources += %D%/run/orrery-scheduler-source.c
host_sources += %D%/run/orrery-scheduler.c
host_sources += %D%/run/orrery-signals.c
host_sources += %D%/run/orrery-task.c
host_sources += %D%/run/orrery-waker.c
private_headers += %D%/base/orrery-flat-private.h
host_sources += %D%/base/orrery-flat.c
private_headers += %D%/run/orrery-channel-private.h
private_headers += %D%/run/orrery-memory-private.h
private_headers += %D%/run/orrery-words-private.h
host_sources += %D%/run/orrery-channel-pass.c
host_sources += %D%/run/orrery-channel-record.c
host_sources += %D%/run/orrery-channel.c
host_sources += %D%/run/orrery-emitter.c
host_sources += %D%/run/orrery-memory.c
host_sources += %D%/run/orrery-receiver-latest.c
host_sources += %D%/run/orrery-receiver-ring.c
host_sources += %D%/run/orrery-receiver.c
host_sources += %D%/run/orrery-value.c
private_headers += %D%/run/orrery-order-private.h
host_sources += %D%/run/orrery-order.c
private_headers += %D%/run/orrery-pacer-private.h
host_sources += %D%/run/orrery-pacer.c
private_headers += %D%/run/orrery-parallel-private.h
host_sources += %D%/run/orrery-parallel.c
private_headers += %D%/run/orrery-pipeline-private.h
host_sources += %D%/run/orrery-pipeline.c
private_headers += %D%/run/orrery-pool-private.h
host_sources += %D%/run/orrery-pool.c
private_headers += %D%/run/orrery-router-private.h
host_sources += %D%/run/orrery-router.c
private_headers += %D%/run/orrery-runner-private.h
public_headers += %D%/run/orrery-state.h
host_sources += %D%/run/orrery-state.c
host_sources += %D%/run/orrery-runner-phases.c
private_headers += %D%/run/orrery-script-runner-private.h
host_sources += %D%/run/orrery-script-runner.c
host_sources += %D%/run/orrery-runner-saved.c
host_sources += %D%/run/orrery-runner-watch.c
host_sources += %D%/run/orrery-runner-absent.c
host_sources += %D%/run/orrery-runner.c
private_headers += %D%/run/orrery-process-private.h
host_sources += %D%/run/orrery-process.c
private_headers += %D%/run/orrery-voice-private.h
host_sources += %D%/run/orrery-voice.c
private_headers += %D%/run/orrery-worker-loop-private.h
private_headers += %D%/run/orrery-worker-message-private.h
private_headers += %D%/run/orrery-worker-private.h
host_sources += %D%/run/orrery-worker-call.c
host_sources += %D%/run/orrery-worker-hear.c
host_sources += %D%/run/orrery-worker-loop.c
host_sources += %D%/run/orrery-worker-loop-script.c
host_sources += %D%/run/orrery-worker-message.c
host_sources += %D%/run/orrery-worker-step.c
host_sources += %D%/run/orrery-worker-script.c
host_sources += %D%/run/orrery-worker.c
private_headers += %D%/run/orrery-step-private.h
host_sources += %D%/run/orrery-step.c
host_sources += %D%/wiring/orrery-assembly-config.c
host_sources += %D%/wiring/orrery-assembly-overlays.c
host_sources += %D%/wiring/orrery-assembly-workers.c
host_sources += %D%/wiring/orrery-replica.c
host_sources += %D%/wiring/orrery-assembly-order.c
host_sources += %D%/wiring/orrery-assembly-rays.c
host_sources += %D%/wiring/orrery-assembly-scan.c
private_headers += %D%/wiring/orrery-assembly-private.h
host_sources += %D%/wiring/orrery-assembly-scripts.c
host_sources += %D%/wiring/orrery-assembly-views.c
host_sources += %D%/wiring/orrery-assembly.c
host_sources += %D%/wiring/orrery-communication.c
host_sources += %D%/wiring/orrery-geometry.c
host_sources += %D%/wiring/orrery-options.c
private_headers += %D%/wiring/orrery-problems-private.h
host_sources += %D%/wiring/orrery-problems.c
host_sources += %D%/wiring/orrery-report.c
private_headers += %D%/wiring/orrery-scene-private.h
host_sources += %D%/wiring/orrery-scene-joint.c
host_sources += %D%/wiring/orrery-scene-scripts.c
host_sources += %D%/wiring/orrery-scene-values.c
host_sources += %D%/wiring/orrery-scene-paint.c
host_sources += %D%/wiring/orrery-scene-visual.c
host_sources += %D%/wiring/orrery-scene-changes.c
host_sources += %D%/wiring/orrery-scene-import.c
host_sources += %D%/wiring/orrery-scene-offers.c
host_sources += %D%/wiring/orrery-scene-parts.c
host_sources += %D%/wiring/orrery-scene-logs.c
host_sources += %D%/wiring/orrery-scene-look.c
host_sources += %D%/wiring/orrery-scene.c
private_headers += %D%/wiring/orrery-simulation-private.h
host_sources += %D%/wiring/orrery-simulation-run.c
host_sources += %D%/wiring/orrery-simulation-saved.c
host_sources += %D%/wiring/orrery-simulation-scene.c
host_sources += %D%/wiring/orrery-simulation-state.c
host_sources += %D%/wiring/orrery-state-services.c
host_sources += %D%/wiring/orrery-simulation.c
host_sources += %D%/wiring/orrery-table.c
host_sources += %D%/wiring/orrery-supervision.c
host_sources += %D%/wiring/orrery-viewer-services.c
private_headers += %D%/wiring/orrery-system-part-private.h
host_sources += %D%/wiring/orrery-system-part.c
host_sources += %D%/wiring/orrery-time-services.c
private_headers += %D%/base/orrery-error-private.h
private_headers += %D%/roles/orrery-role-private.h
host_sources += %D%/roles/orrery-role.c
host_sources += %D%/roles/orrery-plugin.c
private_headers += %D%/wiring/orrery-classpath-private.h
private_headers += %D%/wiring/orrery-describe-private.h
private_headers += %D%/wiring/orrery-descriptor-private.h
private_headers += %D%/wiring/orrery-inspect-private.h
private_headers += %D%/wiring/orrery-json-class-private.h
private_headers += %D%/wiring/orrery-list-private.h
private_headers += %D%/wiring/orrery-module-private.h
private_headers += %D%/wiring/orrery-prefix-private.h
private_headers += %D%/wiring/orrery-registry-private.h
private_headers += %D%/wiring/orrery-trust-private.h
host_sources += %D%/wiring/orrery-classpath.c
host_sources += %D%/wiring/orrery-describe-type.c
host_sources += %D%/wiring/orrery-describe.c
host_sources += %D%/wiring/orrery-descriptor.c
host_sources += %D%/wiring/orrery-image.c
host_sources += %D%/wiring/orrery-inspect-pool.c
host_sources += %D%/wiring/orrery-json-class.c
host_sources += %D%/wiring/orrery-list-write.c
host_sources += %D%/wiring/orrery-list.c
host_sources += %D%/wiring/orrery-loader.c
host_sources += %D%/wiring/orrery-module.c
host_sources += %D%/wiring/orrery-prefix.c
private_headers += %D%/wiring/orrery-python-private.h
host_sources += %D%/wiring/orrery-python.c
host_sources += %D%/wiring/orrery-registry.c
host_sources += %D%/wiring/orrery-trust.c
host_sources += %D%/wiring/orrery-walk.c

host_sources += %D%/wiring/orrery-simulation-load.c
host_sources += %D%/wiring/orrery-simulation-order.c

host_headers = $(public_headers)

noinst_LIBRARIES += %D%/libhost.a
%C%_libhost_a_SOURCES = $(host_sources) $(public_headers) $(private_headers)
%C%_libhost_a_CPPFLAGS = $(AM_CPPFLAGS) -DORRERY_COMPILATION -DG_LOG_DOMAIN=\"orrery\" \
  -DORRERY_PYTHON=\"$(PYTHON)\" -DSANITIZER_RUNTIME=\"$(SANITIZER_RUNTIME)\" \
  -DORRERY_LIBDIR='"$(libdir)"' -DORRERY_PREFIX_FROM_LIBDIR='"$(PREFIX_FROM_LIBDIR)"'

all-local: lib/liborrery-1.so
lib/liborrery-1.so.0: %D%/libhost.a %D%/orrery.map
	$(AM_V_CCLD)$(MKDIR_P) lib && $(CXX) $(AM_CFLAGS_LINK) $(LDFLAGS) $(SANITIZER_FLAGS) -shared -Wl,-Bsymbolic-functions \
	  -Wl,--version-script=$(srcdir)/%D%/orrery.map -Wl,-soname,liborrery-1.so.0 -Wl,--whole-archive $< -Wl,--no-whole-archive -o $@ $(GLIB_LIBS) $(LIBS)
lib/liborrery-1.so: lib/liborrery-1.so.0
	$(AM_V_GEN)rm -f $@ && $(LN_S) liborrery-1.so.0 $@
CLEANFILES += lib/liborrery-1.so.0 lib/liborrery-1.so
EXTRA_DIST += %D%/orrery.map

# What opens modules in a process of its own; nobody starts it by hand.
inspectexecdir = $(libdir)/orrery-1
inspectexec_PROGRAMS = lib/orrery-1/orrery-inspect
lib_orrery_1_orrery_inspect_SOURCES = %D%/cli/orrery-inspect.c
lib_orrery_1_orrery_inspect_LDADD = lib/liborrery-1.so $(GLIB_LIBS)
lib_orrery_1_orrery_inspect_LDFLAGS = $(AM_LDFLAGS) -Wl,-rpath,'$$ORIGIN/..'

include %D%/cli/local.mk

# --- introspection: what bindings read; a warning of the scanner is an error ---

if HAVE_INTROSPECTION
gir_file = share/gir-1.0/Orrery-1.gir
typelib_file = lib/girepository-1.0/Orrery-1.typelib
girdir = $(datadir)/gir-1.0
typelibdir = $(libdir)/girepository-1.0
gir_DATA = $(gir_file)
typelib_DATA = $(typelib_file)

$(gir_file): lib/liborrery-1.so $(public_headers)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	  CC='$(CC)' CFLAGS='$(CFLAGS) $(SANITIZER_FLAGS)' LDFLAGS='$(LDFLAGS) $(SANITIZER_FLAGS)' \
	  LD_LIBRARY_PATH="lib:$$LD_LIBRARY_PATH" ASAN_OPTIONS=detect_leaks=0 \
	  $(G_IR_SCANNER) --quiet --warn-all --warn-error --no-libtool \
	  --namespace=Orrery --nsversion=1 --identifier-prefix=Orrery --symbol-prefix=orrery \
	  --include=GObject-2.0 --include=Gio-2.0 --pkg=gobject-2.0 --pkg=gio-2.0 --pkg-export=orrery-1 \
	  --c-include=orrery.h --sources-top-dirs='$(abs_top_srcdir)' --library=orrery-1 -Llib \
	  --cflags-begin $(AM_CPPFLAGS) --cflags-end --output $@ \
	  $(addprefix $(srcdir)/,$(public_headers))
$(typelib_file): $(gir_file)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(G_IR_COMPILER) --output=$@ $<
CLEANFILES += $(gir_file) $(typelib_file)
endif

# --- install: by hand, since Automake installs no library that libtool did not make ---

orreryincludedir = $(includedir)/orrery-1
pkgconfig_DATA = %D%/orrery-1.pc

install-exec-local: install-library
install-library: lib/liborrery-1.so.0
	$(MKDIR_P) "$(DESTDIR)$(libdir)"
	$(INSTALL_PROGRAM) lib/liborrery-1.so.0 "$(DESTDIR)$(libdir)/liborrery-1.so.0"
	cd "$(DESTDIR)$(libdir)" && rm -f liborrery-1.so && $(LN_S) liborrery-1.so.0 liborrery-1.so

install-data-local: install-headers
install-headers:
	@for f in $(public_headers) %D%/base/orrery-version.h; do \
	  from="$$f"; test -f "$$from" || from="$(srcdir)/$$f"; \
	  to="$(DESTDIR)$(orreryincludedir)/$${f#%D%/}"; \
	  $(MKDIR_P) "$$(dirname "$$to")" && $(INSTALL_HEADER) "$$from" "$$to" || exit 1; \
	done

uninstall-host:
	rm -f "$(DESTDIR)$(libdir)/liborrery-1.so" "$(DESTDIR)$(libdir)/liborrery-1.so.0"
	rm -rf "$(DESTDIR)$(orreryincludedir)"
.PHONY: install-library install-headers uninstall-host
