/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib/gstdio.h>
#include <orrery.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory of the search path, made for one test and removed with all that is in it. */
typedef struct {
  char *path;
} TestDir;

static inline void
test_remove (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK)) {
    g_assert_no_errno (g_chmod (path, 0700));
    dir = g_dir_open (path, 0, NULL);
  }
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *inner = g_build_filename (path, name, NULL);

    test_remove (inner);
  }
  g_remove (path);
}

static inline void
test_dir_clear (TestDir *dir)
{
  test_remove (dir->path);
  g_clear_pointer (&dir->path, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TestDir, test_dir_clear)

static inline TestDir
test_dir_new (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_dir_make_tmp ("orrery-test-XXXXXX", &error);
  TestDir dir = { path != NULL ? realpath (path, NULL) : NULL };

  g_assert_no_error (error);
  return dir;
}

/* The path of @name in @dir; its directory is there. */
static inline char *
test_dir_path (TestDir *dir, const char *name)
{
  char *path = g_build_filename (dir->path, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_no_errno (g_mkdir_with_parents (parent, 0755));
  return path;
}

static inline char *
test_fixture_path (const char *fixture)
{
  g_autofree char *name = g_strconcat (fixture, ".so", NULL);
  const char *build = g_getenv ("ORRERY_TEST_BUILDDIR");

  return g_build_filename (build != NULL ? build : ".", "tests", "registry", "plugins", name, NULL);
}

/* Puts a link to a fixture there: it stays the one file that it is, whichever test uses it. */
static inline void
test_dir_link (TestDir *dir, const char *name, const char *fixture)
{
  g_autofree char *path = test_dir_path (dir, name);
  g_autofree char *relative = test_fixture_path (fixture);
  g_autofree char *target = realpath (relative, NULL);

  g_assert_nonnull (target);
  g_assert_no_errno (symlink (target, path));
}

/* Puts a copy there: another file, of the same names. */
static inline void
test_dir_copy (TestDir *dir, const char *name, const char *fixture)
{
  g_autofree char *path = test_dir_path (dir, name);
  g_autofree char *from = test_fixture_path (fixture);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (from, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (path, bytes, length, NULL));
  g_assert_no_errno (g_chmod (path, 0755));
}

static inline void
test_dir_write (TestDir *dir, const char *name, const char *text)
{
  g_autofree char *path = test_dir_path (dir, name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_no_errno (g_chmod (path, 0644));
}

static inline OrreryRegistry *
test_registry_new (TestDir *first, TestDir *second)
{
  OrreryRegistry *registry = orrery_registry_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_registry_add_directory (registry, first->path, &error));
  g_assert_no_error (error);
  if (second != NULL)
    g_assert_true (orrery_registry_add_directory (registry, second->path, NULL));
  return registry;
}

/* @pattern as of g_pattern_match_simple(), in which DIR stands for @dir. */
static inline void
test_match (const char *message, const char *pattern, TestDir *dir)
{
  g_auto (GStrv) parts = g_strsplit (pattern, "DIR", -1);
  g_autofree char *full = g_strjoinv (dir != NULL ? dir->path : "DIR", parts);

  if (!g_pattern_match_simple (full, message))
    g_test_message ("'%s' does not match '%s'", message, full);
  g_assert_true (g_pattern_match_simple (full, message));
}

static inline void
test_expect (GError **error, int code, const char *pattern, TestDir *dir)
{
  g_assert_error (*error, ORRERY_ERROR, code);
  if (*error != NULL)
    test_match ((*error)->message, pattern, dir);
  g_clear_error (error);
}

/* Only the directories that a test adds, and those that the library brings. */
static inline void
test_init (int *argc, char ***argv)
{
  g_unsetenv ("ORRERY_PLUGIN_PATH");
  g_setenv ("XDG_DATA_HOME", "/nonexistent/data", TRUE);
  g_test_init (argc, argv, NULL);
  g_test_set_nonfatal_assertions ();
}
