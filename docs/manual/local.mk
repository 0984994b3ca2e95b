# SPDX-License-Identifier: BSD-3-Clause
# The manual as a site, in manual/ of the build tree. It needs Sphinx, and takes half a minute: it is
# built where somebody asks for it.
manual_files = %D%/build.py %D%/conf.py %D%/index.md %D%/_static/manual.css
EXTRA_DIST += $(manual_files)

manual: manual/index.html
manual/index.html: $(manual_files) $(dist_doc_DATA) $(nodist_doc_DATA) README.md CONTRIBUTING.md
	$(AM_V_GEN)$(PYTHON) $(srcdir)/%D%/build.py $(srcdir) . $(VERSION) manual
install-manual: manual
	@$(MKDIR_P) '$(DESTDIR)$(docdir)/html' && cp -R manual/. '$(DESTDIR)$(docdir)/html'

clean-local: clean-manual
clean-manual:
	rm -rf manual
uninstall-local: uninstall-manual
uninstall-manual:
	rm -rf '$(DESTDIR)$(docdir)/html'
.PHONY: clean-manual install-manual manual uninstall-manual
