# SPDX-License-Identifier: BSD-3-Clause
# The Python package; the library finds it at <prefix>/share/orrery-1/python, in the build tree too.

nobase_dist_orrerydata_DATA = \
  %D%/orrery/__init__.py \
  %D%/orrery/builder/__init__.py \
  %D%/orrery/builder/__main__.py \
  %D%/orrery/builder/abstractcomponent.py \
  %D%/orrery/builder/actuators.py \
  %D%/orrery/builder/bpymorse.py \
  %D%/orrery/builder/bpyobject.py \
  %D%/orrery/builder/catalogue.py \
  %D%/orrery/builder/classes.py \
  %D%/orrery/builder/configuration.py \
  %D%/orrery/builder/creator.py \
  %D%/orrery/builder/environment.py \
  %D%/orrery/builder/errors.py \
  %D%/orrery/builder/morse_names.py \
  %D%/orrery/builder/morsebuilder.py \
  %D%/orrery/builder/naming.py \
  %D%/orrery/builder/robots.py \
  %D%/orrery/builder/runner.py \
  %D%/orrery/builder/sensors.py \
  %D%/orrery/builder/session.py \
  %D%/orrery/builder/values.py \
  %D%/orrery/builder/writer.py

all-local: share/orrery-1/python
share/orrery-1/python:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && rm -f $@ && $(LN_S) '$(abs_top_srcdir)/%D%' $@
CLEANFILES += share/orrery-1/python

# What Python compiled beside the sources is in no list of files.
uninstall-python:
	rm -rf "$(DESTDIR)$(orrerydatadir)/python"
.PHONY: uninstall-python
