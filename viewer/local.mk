# SPDX-License-Identifier: BSD-3-Clause
# The page of the viewer: our sources and those of viewer/vendor/ as one file, made by esbuild. The
# tarball has that file.
viewer_page_sources = \
  %D%/src/beside.js %D%/src/connection.js %D%/src/details.js %D%/src/drive.js %D%/src/forms.js %D%/src/glb.js \
  %D%/src/layers.js %D%/src/log.js %D%/src/main.js %D%/src/page.css %D%/src/playback.js %D%/src/plots.js %D%/src/run.js %D%/src/three.js %D%/src/tree.js %D%/src/world.js
viewer_vendor_files = $(shell cd '$(srcdir)' && find viewer/vendor -type f | LC_ALL=C sort)
viewer_bundle = %D%/bundle/page.js %D%/bundle/page.css
viewer_page = share/orrery-1/viewer/page.js share/orrery-1/viewer/page.css \
  share/orrery-1/viewer/index.html share/orrery-1/viewer/icon.svg share/orrery-1/viewer/player.js

if HAVE_ESBUILD
# Both files are made at once.
%D%/bundle/page.js: $(viewer_page_sources) $(viewer_vendor_files)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(ESBUILD) '$(srcdir)/viewer/src/main.js' --bundle --minify \
	  --format=esm --charset=utf8 --legal-comments=eof \
	  --banner:js='/* With three.js, (c) three.js authors, and uPlot, (c) Leon Sorokin; both MIT. */' --log-level=warning --alias:three='$(abs_srcdir)/viewer/src/three.js' --outfile=$@ && touch $(@D)/page.css
%D%/bundle/page.css: %D%/bundle/page.js
	@:
CLEANFILES += $(viewer_bundle)
# In a build of a tarball they may be those of the tarball.
dist-viewer: $(viewer_bundle)
	$(MKDIR_P) '$(distdir)/viewer/bundle' && cp $^ '$(distdir)/viewer/bundle'
else
dist-viewer:
	if test -f '$(srcdir)/viewer/bundle/page.js'; then $(MKDIR_P) '$(distdir)/viewer/bundle' && \
	  cp '$(srcdir)'/viewer/bundle/page.* '$(distdir)/viewer/bundle'; fi
endif
dist-hook: dist-viewer
.PHONY: dist-viewer
if HAVE_VIEWER_PAGE
share/orrery-1/viewer/page.js: %D%/bundle/page.js
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cp $< $@
share/orrery-1/viewer/page.css: %D%/bundle/page.css
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cp $< $@
share/orrery-1/viewer/index.html: %D%/src/index.html
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cp $< $@
share/orrery-1/viewer/icon.svg: %D%/src/icon.svg
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cp $< $@
share/orrery-1/viewer/player.js: %D%/src/player.js
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cp $< $@
viewerdir = $(orrerydatadir)/viewer
viewer_DATA = $(viewer_page)
CLEANFILES += $(viewer_page)
endif
EXTRA_DIST += $(viewer_page_sources) %D%/src/index.html %D%/src/icon.svg %D%/src/player.js $(viewer_vendor_files)
