# SPDX-License-Identifier: BSD-3-Clause
# liborrery-1 and the program. Headers listed as public are installed; those that end in -private.h or
# -internal.h are not.

# A room adds its files in its local.mk. Each room sees itself and those before it.
public_headers = %D%/orrery.h
private_headers =
host_sources =

include %D%/base/local.mk
include %D%/text/local.mk
include %D%/record/local.mk
include %D%/message/local.mk
include %D%/recording/local.mk
include %D%/world/local.mk
include %D%/part/local.mk
include %D%/roles/local.mk
include %D%/process/local.mk
include %D%/channel/local.mk
include %D%/loop/local.mk
include %D%/worker/local.mk
include %D%/tick/local.mk
include %D%/registry/local.mk
include %D%/scene/local.mk
include %D%/assembly/local.mk
include %D%/simulation/local.mk
include %D%/vector/local.mk

noinst_LIBRARIES += %D%/libhost.a
%C%_libhost_a_SOURCES = $(host_sources) $(public_headers) $(private_headers)
%C%_libhost_a_CPPFLAGS = $(AM_CPPFLAGS) -DORRERY_COMPILATION -DG_LOG_DOMAIN=\"orrery\" \
  -DORRERY_PYTHON=\"$(PYTHON)\" -DSANITIZER_RUNTIME=\"$(SANITIZER_RUNTIME)\" \
  $(RECORDING_CPPFLAGS) -DORRERY_LIBDIR='"$(libdir)"' -DORRERY_PREFIX_FROM_LIBDIR='"$(PREFIX_FROM_LIBDIR)"'

# What needs no simulation, for programs that want tasks and channels alone; made of the same objects.
loop_rooms = base text record process channel loop
loop_objects = $(filter $(loop_rooms:%=%D%/%/%.$(OBJEXT)),$(%C%_libhost_a_OBJECTS))
%D%/libloop.a: %D%/libhost.a
	$(AM_V_AR)rm -f $@ && $(AR) $(ARFLAGS) $@ $(loop_objects) && $(RANLIB) $@
CLEANFILES += %D%/libloop.a

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

$(gir_file): lib/liborrery-1.so %D%/base/orrery-version.h $(public_headers)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	  CC='$(CC)' CFLAGS='$(CFLAGS) $(SANITIZER_FLAGS)' LDFLAGS='$(LDFLAGS) $(SANITIZER_FLAGS)' \
	  LD_LIBRARY_PATH="lib:$$LD_LIBRARY_PATH" ASAN_OPTIONS=detect_leaks=0 \
	  $(G_IR_SCANNER) --quiet --warn-all --warn-error --no-libtool \
	  --namespace=Orrery --nsversion=1 --identifier-prefix=Orrery --symbol-prefix=orrery \
	  --include=GObject-2.0 --include=Gio-2.0 --pkg=gobject-2.0 --pkg=gio-2.0 --pkg-export=orrery-1 \
	  --c-include=orrery.h --sources-top-dirs='$(abs_top_srcdir)' --library=orrery-1 -Llib \
	  --cflags-begin $(AM_CPPFLAGS) --cflags-end --output $@ \
	  %D%/base/orrery-version.h $(addprefix $(srcdir)/,$(public_headers))
$(typelib_file): $(gir_file)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(G_IR_COMPILER) --output=$@ $<
CLEANFILES += $(gir_file) $(typelib_file)
endif

# --- install: by hand, since Automake installs no library that libtool did not make ---

# What tests of plugins include is installed too; it is no part of the library.
EXTRA_DIST += %D%/orrery-test.h
orreryincludedir = $(includedir)/orrery-1
pkgconfig_DATA = %D%/orrery-1.pc

install-exec-local: install-library
install-library: lib/liborrery-1.so.0
	$(MKDIR_P) "$(DESTDIR)$(libdir)"
	$(INSTALL_PROGRAM) lib/liborrery-1.so.0 "$(DESTDIR)$(libdir)/liborrery-1.so.0"
	cd "$(DESTDIR)$(libdir)" && rm -f liborrery-1.so && $(LN_S) liborrery-1.so.0 liborrery-1.so

install-data-local: install-headers
install-headers:
	@for f in $(public_headers) %D%/orrery-test.h %D%/base/orrery-version.h; do \
	  from="$$f"; test -f "$$from" || from="$(srcdir)/$$f"; \
	  to="$(DESTDIR)$(orreryincludedir)/$${f#%D%/}"; \
	  $(MKDIR_P) "$$(dirname "$$to")" && $(INSTALL_HEADER) "$$from" "$$to" || exit 1; \
	done

uninstall-host:
	rm -f "$(DESTDIR)$(libdir)/liborrery-1.so" "$(DESTDIR)$(libdir)/liborrery-1.so.0"
	rm -rf "$(DESTDIR)$(orreryincludedir)"
.PHONY: install-library install-headers uninstall-host
