# SPDX-License-Identifier: BSD-3-Clause
# liborrery-1 and the program. Headers listed as public are installed; what ends in -private.h is not.

public_headers = \
  %D%/orrery.h \
  %D%/base/orrery-types.h \
  %D%/base/orrery-error.h \
  %D%/base/orrery-transform.h

host_headers = $(public_headers)
private_headers =

host_sources = \
  %D%/base/orrery-error.c \
  %D%/base/orrery-types.c \
  %D%/base/orrery-transform.c

noinst_LIBRARIES += %D%/libhost.a
%C%_libhost_a_SOURCES = $(host_sources) $(public_headers) $(private_headers)
%C%_libhost_a_CPPFLAGS = $(AM_CPPFLAGS) -DORRERY_COMPILATION -DG_LOG_DOMAIN=\"orrery\"

all-local: lib/liborrery-1.so
lib/liborrery-1.so.0: %D%/libhost.a
	$(AM_V_CCLD)$(MKDIR_P) lib && $(CXX) $(AM_CFLAGS_LINK) $(LDFLAGS) $(SANITIZER_FLAGS) -shared \
	  -Wl,-soname,liborrery-1.so.0 -Wl,--whole-archive $< -Wl,--no-whole-archive -o $@ $(GLIB_LIBS) $(LIBS)
lib/liborrery-1.so: lib/liborrery-1.so.0
	$(AM_V_GEN)rm -f $@ && $(LN_S) liborrery-1.so.0 $@
CLEANFILES += lib/liborrery-1.so.0 lib/liborrery-1.so
