# SPDX-License-Identifier: BSD-3-Clause
# The Python package; the library finds it at <prefix>/share/orrery-1/python, in the build tree too.

nobase_dist_orrerydata_DATA = \
  %D%/orrery/__init__.py \
  %D%/orrery/py.typed \
  %D%/orrery/__main__.py \
  %D%/orrery/_background.py \
  %D%/orrery/_batch.py \
  %D%/orrery/_batch_dask.py \
  %D%/orrery/_batch_tables.py \
  %D%/orrery/_batch_worker.py \
  %D%/orrery/_build.py \
  %D%/orrery/_bulk.py \
  %D%/orrery/_channels.py \
  %D%/orrery/_describe.py \
  %D%/orrery/_episodes.py \
  %D%/orrery/_extension.py \
  %D%/orrery/_faults.py \
  %D%/orrery/_follow.py \
  %D%/orrery/_gym_pictures.py \
  %D%/orrery/_gym_starts.py \
  %D%/orrery/_gym_worker.py \
  %D%/orrery/_hybrid.py \
  %D%/orrery/_interrupt.py \
  %D%/orrery/_lerobot.py \
  %D%/orrery/_live.py \
  %D%/orrery/_loader.py \
  %D%/orrery/_missing.py \
  %D%/orrery/_native.py \
  %D%/orrery/_observers.py \
  %D%/orrery/_parquet.py \
  %D%/orrery/_plugins.py \
  %D%/orrery/_recording.py \
  %D%/orrery/_records.py \
  %D%/orrery/_roles.py \
  %D%/orrery/_show.py \
  %D%/orrery/_tasks.py \
  %D%/orrery/_values.py \
  %D%/orrery/_version.py \
  %D%/orrery/inspect.py \
  %D%/orrery/morse_command.py \
  %D%/orrery/morse_sync.py \
  %D%/orrery/multinode.py \
  %D%/orrery/run.py \
  %D%/orrery/worker.py \
  %D%/orrery/builder/__init__.py \
  %D%/orrery/builder/__main__.py \
  %D%/orrery/builder/abstractcomponent.py \
  %D%/orrery/builder/actuators.py \
  %D%/orrery/builder/blenderobjects.py \
  %D%/orrery/builder/body.py \
  %D%/orrery/builder/bpy_standin.py \
  %D%/orrery/builder/bpymorse.py \
  %D%/orrery/builder/bpyobject.py \
  %D%/orrery/builder/called.py \
  %D%/orrery/builder/carried.py \
  %D%/orrery/builder/changes.py \
  %D%/orrery/builder/catalogue.py \
  %D%/orrery/builder/classes.py \
  %D%/orrery/builder/configuration.py \
  %D%/orrery/builder/creator.py \
  %D%/orrery/builder/data.py \
  %D%/orrery/builder/environment.py \
  %D%/orrery/builder/errors.py \
  %D%/orrery/builder/geometry.py \
  %D%/orrery/builder/human.py \
  %D%/orrery/builder/imports.py \
  %D%/orrery/builder/inside.py \
  %D%/orrery/builder/linking.py \
  %D%/orrery/builder/materials.py \
  %D%/orrery/builder/models.py \
  %D%/orrery/builder/morse_classes.py \
  %D%/orrery/builder/morse_names.py \
  %D%/orrery/builder/morsebuilder.py \
  %D%/orrery/builder/multinode.py \
  %D%/orrery/builder/names.py \
  %D%/orrery/builder/naming.py \
  %D%/orrery/builder/older.py \
  %D%/orrery/builder/origins.py \
  %D%/orrery/builder/packages.py \
  %D%/orrery/builder/patience.py \
  %D%/orrery/builder/places.py \
  %D%/orrery/builder/pr2.py \
  %D%/orrery/builder/precision.py \
  %D%/orrery/builder/robots.py \
  %D%/orrery/builder/runner.py \
  %D%/orrery/builder/sensors.py \
  %D%/orrery/builder/session.py \
  %D%/orrery/builder/special.py \
  %D%/orrery/builder/values.py \
  %D%/orrery/builder/window.py \
  %D%/orrery/builder/writer.py \
  %D%/orrery/builder/zone.py \
  %D%/orrery/gym/__init__.py \
  %D%/orrery/gym/_api.py \
  %D%/orrery/gym/_checks.py \
  %D%/orrery/gym/_env.py \
  %D%/orrery/gym/_parallel.py \
  %D%/orrery/gym/_processes.py \
  %D%/orrery/gym/_record.py \
  %D%/orrery/gym/_stable_baselines.py \
  %D%/orrery/gym/_vector.py \
  %D%/orrery/gym/tasks/__init__.py \
  %D%/orrery/gym/tasks/balance_pole.json \
  %D%/orrery/gym/tasks/balance_pole.py \
  %D%/orrery/gym/tasks/balance_pole.xml \
  %D%/orrery/gym/tasks/drive_to_goal.json \
  %D%/orrery/gym/tasks/drive_to_goal.py \
  %D%/orrery/gym/tasks/reach.json \
  %D%/orrery/gym/tasks/reach.py \
  %D%/orrery/gym/tasks/reach.xml \
  %D%/orrery/morse/__init__.py \
  %D%/orrery/morse/absent.py \
  %D%/orrery/morse/adapters.py \
  %D%/orrery/morse/bge.py \
  %D%/orrery/morse/blenderapi.py \
  %D%/orrery/morse/calls.py \
  %D%/orrery/morse/colors.py \
  %D%/orrery/morse/components.py \
  %D%/orrery/morse/coordinates.py \
  %D%/orrery/morse/declarations.py \
  %D%/orrery/morse/errors.py \
  %D%/orrery/morse/helpers.py \
  %D%/orrery/morse/in_c.py \
  %D%/orrery/morse/live.py \
  %D%/orrery/morse/log.py \
  %D%/orrery/morse/mathutils.py \
  %D%/orrery/morse/modules.py \
  %D%/orrery/morse/modules.txt \
  %D%/orrery/morse/names.py \
  %D%/orrery/morse/plug_adapters.py \
  %D%/orrery/morse/plugs.py \
  %D%/orrery/morse/requests.py \
  %D%/orrery/morse/ros.py \
  %D%/orrery/morse/ros_adapters.py \
  %D%/orrery/morse/ros_streams.py \
  %D%/orrery/morse/scene_object.py \
  %D%/orrery/morse/services.py \
  %D%/orrery/morse/stage.py \
  %D%/orrery/morse/state.py \
  %D%/orrery/morse/transformation.py \
  %D%/orrery/morse/values.py \
  %D%/orrery/morse/zones.py \
  %D%/morse/__init__.py \
  %D%/pymorse.py

all-local: share/orrery-1/python
share/orrery-1/python:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && rm -f $@ && $(LN_S) '$(abs_top_srcdir)/%D%' $@
CLEANFILES += share/orrery-1/python

# Hints for type checkers: what the typelib has, and what the package puts over it. A package of
# stubs, which checkers look for beside the one that it describes; what it lacks is found there.
EXTRA_DIST += %D%/site_directory.py %D%/stubs/descriptions.py %D%/stubs/generate.py %D%/stubs/gtypes.pyi %D%/stubs/overrides.pyi %D%/stubs/builder.py
if HAVE_INTROSPECTION
stubs_files = share/orrery-1/stubs/orrery/__init__.pyi share/orrery-1/stubs/orrery/_gtypes.pyi \
  share/orrery-1/stubs/orrery/py.typed
stubsdir = $(orrerydatadir)/stubs/orrery
stubs_DATA = $(stubs_files)
share/orrery-1/stubs/orrery/__init__.pyi: $(gir_file) %D%/stubs/generate.py %D%/stubs/descriptions.py \
  %D%/stubs/overrides.pyi $(filter %D%/orrery/_%.py,$(nobase_dist_orrerydata_DATA))
	$(AM_V_GEN)$(MKDIR_P) $(@D) && PYTHONDONTWRITEBYTECODE=1 '$(PYTHON)' '$(srcdir)/%D%/stubs/generate.py' $(gir_file) \
	  '$(srcdir)/%D%/stubs/overrides.pyi' '$(srcdir)/%D%/orrery' share/orrery-1/docstrings.json >$@.new && mv $@.new $@
# What help () shows of the same: written beside it.
docstringsdir = $(orrerydatadir)
docstrings_DATA = share/orrery-1/docstrings.json
share/orrery-1/docstrings.json: share/orrery-1/stubs/orrery/__init__.pyi
CLEANFILES += share/orrery-1/docstrings.json
share/orrery-1/stubs/orrery/_gtypes.pyi: %D%/stubs/gtypes.pyi
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cp $< $@
share/orrery-1/stubs/orrery/py.typed:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && echo partial >$@
CLEANFILES += $(stubs_files)
install_stubs = $(LN_S) "$$(realpath -m --relative-to='$(pythondir)' '$(stubsdir)')" orrery-stubs
else
install_stubs = :
endif

# Those of builder scripts, under both of their names; the classes are those of the plugins, which
# the program tells.
builder_stubs_names = abstractcomponent actuators blenderobjects bpymorse creator environment morsebuilder robots sensors
builder_stubs_files = share/orrery-1/stubs/orrery/builder/__init__.pyi \
  share/orrery-1/stubs/orrery/builder/actuators.pyi share/orrery-1/stubs/orrery/builder/robots.pyi \
  share/orrery-1/stubs/orrery/builder/sensors.pyi
morse_stubs_files = share/orrery-1/stubs/morse/__init__.pyi share/orrery-1/stubs/morse/py.typed
morse_builder_stubs_files = share/orrery-1/stubs/morse/builder/__init__.pyi \
  $(builder_stubs_names:%=share/orrery-1/stubs/morse/builder/%.pyi)
builder_stubsdir = $(orrerydatadir)/stubs/orrery/builder
morse_stubsdir = $(orrerydatadir)/stubs/morse
morse_builder_stubsdir = $(morse_stubsdir)/builder
if CROSS_COMPILED
install_builder_stubs = :
else
builder_stubs_DATA = $(builder_stubs_files)
morse_stubs_DATA = $(morse_stubs_files)
morse_builder_stubs_DATA = $(morse_builder_stubs_files)
install_builder_stubs = $(LN_S) "$$(realpath -m --relative-to='$(pythondir)' '$(morse_stubsdir)')" morse-stubs
endif
share/orrery-1/stubs/orrery/builder/__init__.pyi: %D%/stubs/builder.py %D%/orrery/builder/classes.py \
  %D%/orrery/builder/special.py %D%/orrery/builder/human.py %D%/orrery/builder/pr2.py \
  %D%/orrery/builder/morse_classes.py $(MODULES) $(JSON_CLASSES) \
  orrery bin/orrery lib/orrery-1/orrery-inspect
	$(AM_V_GEN)XDG_DATA_HOME=/nonexistent ORRERY_PLUGIN_PATH= \
	  '$(PYTHON)' '$(srcdir)/%D%/stubs/builder.py' ./orrery share/orrery-1/stubs
$(filter-out %/orrery/builder/__init__.pyi,$(builder_stubs_files)) $(morse_stubs_files) $(morse_builder_stubs_files): \
  share/orrery-1/stubs/orrery/builder/__init__.pyi
CLEANFILES += $(builder_stubs_files) $(morse_stubs_files) $(morse_builder_stubs_files)

# Python finds the package in a directory of its own, by a link; what it links to knows its prefix
# and, where that is not lib/, the place of the library.
install-data-local: install-python
install-python:
	$(MKDIR_P) "$(DESTDIR)$(pythondir)" "$(DESTDIR)$(orrerydatadir)"
	cd "$(DESTDIR)$(pythondir)" && rm -f orrery orrery-stubs morse-stubs && \
	  $(LN_S) "$$(realpath -m --relative-to='$(pythondir)' '$(orrerydatadir)/python/orrery')" orrery && \
	  $(install_builder_stubs) && $(install_stubs)
	realpath -m --relative-to='$(prefix)' '$(libdir)' >"$(DESTDIR)$(orrerydatadir)/libdir"

# What Python compiled beside the sources is in no list of files.
uninstall-python:
	rm -f "$(DESTDIR)$(pythondir)/orrery" "$(DESTDIR)$(pythondir)/orrery-stubs" "$(DESTDIR)$(pythondir)/morse-stubs"
	rm -rf "$(DESTDIR)$(orrerydatadir)/python"
.PHONY: install-python uninstall-python
