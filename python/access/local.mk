# SPDX-License-Identifier: BSD-3-Clause
# The extension module that makes the Python package faster. One file for every interpreter: it uses
# CPython's limited API only. The package finds it beside the plugins, below the library's directory.

access_sources = %D%/data.c %D%/module.c %D%/object.c %D%/variant.c
EXTRA_DIST += $(access_sources) %D%/access.h

if HAVE_EXTENSION
access_file = lib/orrery-1/python/_access.abi3.so
access_objects = $(access_sources:.c=.access.o)

%.access.o: %.c
	$(AM_V_CC)$(MKDIR_P) $(@D) && $(CC) $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(MODULE_CPPFLAGS) $(CPPFLAGS) \
	  -DG_LOG_DOMAIN=\"orrery\" -DPy_LIMITED_API=0x030a0000 -isystem $(PYTHON_INCLUDES) \
	  $(AM_CFLAGS) $(CFLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<
-include $(access_objects:.o=.d)
$(access_objects): $(top_srcdir)/host/orrery.h

# Python gives its own symbols; the library is there already when this is loaded.
$(access_file): $(access_objects) | lib/liborrery-1.so
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(AM_CFLAGS) $(CFLAGS) -o $@ $(access_objects) \
	  $(LDFLAGS) $(SANITIZER_FLAGS) -shared -Wl,-rpath,'$$ORIGIN/../..' -Llib -lorrery-1 $(GLIB_LIBS) $(LIBS)
all-local: $(access_file)
CLEANFILES += $(access_file) $(access_objects) $(access_objects:.o=.d)

install-exec-local: install-access
install-access: $(access_file)
	$(MKDIR_P) "$(DESTDIR)$(libdir)/orrery-1/python"
	$(INSTALL_PROGRAM) $(access_file) "$(DESTDIR)$(libdir)/orrery-1/python/_access.abi3.so"
endif
.PHONY: install-access
