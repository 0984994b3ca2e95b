# SPDX-License-Identifier: BSD-3-Clause
# The manual as a site, in manual/ of the build tree. It needs Sphinx, and takes half a minute: it is
# built where somebody asks for it.
manual_files = %D%/build.py %D%/conf.py %D%/c-reference.toml %D%/index.md %D%/_static/manual.css %D%/_static/manual-search.js \
  %D%/_templates/search.html
EXTRA_DIST += $(manual_files)

manual: manual/index.html
manual/index.html: $(manual_files) docs/manual_index.py $(dist_doc_DATA) $(nodist_doc_DATA) $(gir_file) README.md CONTRIBUTING.md SECURITY.md
	$(AM_V_GEN)$(PYTHON) $(srcdir)/%D%/build.py $(srcdir) . $(VERSION) manual
install-manual: manual
	@$(MKDIR_P) '$(DESTDIR)$(docdir)/html' && cp -R manual/. '$(DESTDIR)$(docdir)/html'

clean-local: clean-site
clean-site:
	rm -rf manual
uninstall-local: uninstall-site
uninstall-site:
	rm -rf '$(DESTDIR)$(docdir)/html'
.PHONY: clean-site install-manual manual uninstall-site
