# SPDX-License-Identifier: BSD-3-Clause
# The server for lines over TCP that both socket plugins are built with; it is no plugin itself.
noinst_LIBRARIES += %D%/libline.a
%C%_libline_a_SOURCES = \
  %D%/line-block.c %D%/line-block.h \
  %D%/line-input.c %D%/line-io.c %D%/line-output.c \
  %D%/line-server.c %D%/line-server.h %D%/line-server-private.h
