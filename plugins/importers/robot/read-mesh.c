/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads one file of meshes by assimp, in a process of its own, and writes its triangles: "ORRMESH",
 * numbers of points and triangles (32 bits each), points (doubles), triangles (32 bits each).
 */
#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TRIANGLES 2000000u
#define TOO_MANY "a mesh may have 2000000 triangles, and this has more"

static int
fail (const char *words)
{
  fputs (words, stdout);
  return 1;
}

/* --- files: regular ones only, because others may block or never end --- */

static size_t
read_file (struct aiFile *file, char *out, size_t size, size_t n)
{
  return fread (out, size, n, (FILE *) (void *) file->UserData);
}

static size_t
write_file (struct aiFile *file, const char *data, size_t size, size_t n)
{
  return 0;
}

static size_t
tell (struct aiFile *file)
{
  return (size_t) ftell ((FILE *) (void *) file->UserData);
}

static size_t
get_size (struct aiFile *file)
{
  struct stat facts;

  return fstat (fileno ((FILE *) (void *) file->UserData), &facts) == 0 ? (size_t) facts.st_size
                                                                        : 0;
}

static enum aiReturn
seek (struct aiFile *file, size_t offset, enum aiOrigin origin)
{
  int whence = origin == aiOrigin_SET ? SEEK_SET : origin == aiOrigin_CUR ? SEEK_CUR : SEEK_END;

  return fseek ((FILE *) (void *) file->UserData, (long) offset, whence) == 0 ? aiReturn_SUCCESS
                                                                              : aiReturn_FAILURE;
}

static void
flush (struct aiFile *file)
{
}

static FILE *
open_regular (const char *path)
{
  int fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat facts;

  if (fd < 0)
    return NULL;
  if (fstat (fd, &facts) == 0 && S_ISREG (facts.st_mode))
    return fdopen (fd, "rb");
  close (fd);
  return NULL;
}

static struct aiFile *
open_file (struct aiFileIO *io, const char *path, const char *mode)
{
  FILE *stream = strchr (mode, 'w') == NULL ? open_regular (path) : NULL;
  struct aiFile *file = stream != NULL ? calloc (1, sizeof *file) : NULL;

  if (file == NULL) {
    if (stream != NULL)
      fclose (stream);
    return NULL;
  }
  *file = (struct aiFile){ read_file, write_file, tell, get_size, seek, flush, (void *) stream };
  return file;
}

static void
close_file (struct aiFileIO *io, struct aiFile *file)
{
  fclose ((FILE *) (void *) file->UserData);
  free (file);
}

static uint32_t
get_number (const unsigned char *at)
{
  return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t) at[3] << 24;
}

/* A binary STL file states its number of triangles, so one that is too large is refused at once. */
static int
is_large_stl (const char *path)
{
  const char *dot = strrchr (path, '.');
  FILE *stream = dot != NULL && strcasecmp (dot, ".stl") == 0 ? open_regular (path) : NULL;
  unsigned char head[84];
  struct stat facts;
  int large = 0;

  if (stream == NULL)
    return 0;
  if (fread (head, 1, sizeof head, stream) == sizeof head && fstat (fileno (stream), &facts) == 0) {
    uint32_t n = get_number (head + 80);

    large = n > MAX_TRIANGLES && (uint64_t) facts.st_size == sizeof head + 50 * (uint64_t) n;
  }
  fclose (stream);
  return large;
}

/* A binary glTF file states its length and that of its first chunk; assimp allocates them before it
 * checks. */
static int
is_cut_glb (const char *path)
{
  const char *dot = strrchr (path, '.');
  FILE *stream = dot != NULL && strcasecmp (dot, ".glb") == 0 ? open_regular (path) : NULL;
  unsigned char head[20];
  struct stat facts;
  int cut = 0;

  if (stream == NULL)
    return 0;
  if (fstat (fileno (stream), &facts) == 0)
    cut = fread (head, 1, sizeof head, stream) < sizeof head ||
          get_number (head + 8) > (uint64_t) facts.st_size ||
          get_number (head + 12) > (uint64_t) facts.st_size;
  fclose (stream);
  return cut;
}

/* --- scenes --- */

/* glTF has y up. */
static int
is_y_up (const char *path)
{
  const char *dot = strrchr (path, '.');

  return dot != NULL && (strcasecmp (dot, ".gltf") == 0 || strcasecmp (dot, ".glb") == 0);
}

/* Faces that assimp has triangulated are marked as triangles, too. */
static int
is_of_triangles (const struct aiMesh *mesh)
{
  return (mesh->mPrimitiveTypes & ~(unsigned) aiPrimitiveType_NGONEncodingFlag) ==
         aiPrimitiveType_TRIANGLE;
}

static void
count (const struct aiScene *scene, uint32_t *n_points, uint32_t *n_triangles)
{
  for (unsigned i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *mesh = scene->mMeshes[i];

    if (!is_of_triangles (mesh))
      continue;
    *n_points += mesh->mNumVertices;
    *n_triangles += mesh->mNumFaces;
  }
}

static void
write_points (const struct aiScene *scene, int y_up)
{
  for (unsigned i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *mesh = scene->mMeshes[i];

    if (!is_of_triangles (mesh))
      continue;
    for (unsigned k = 0; k < mesh->mNumVertices; k++) {
      const struct aiVector3D *v = &mesh->mVertices[k];
      double point[3] = { v->x, y_up ? -v->z : v->y, y_up ? v->y : v->z };

      fwrite (point, sizeof point, 1, stdout);
    }
  }
}

static void
write_triangles (const struct aiScene *scene)
{
  uint32_t first = 0;

  for (unsigned i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *mesh = scene->mMeshes[i];

    if (!is_of_triangles (mesh))
      continue;
    for (unsigned k = 0; k < mesh->mNumFaces; k++) {
      const unsigned *c = mesh->mFaces[k].mIndices;
      uint32_t corners[3] = { first + c[0], first + c[1], first + c[2] };

      fwrite (corners, sizeof corners, 1, stdout);
    }
    first += mesh->mNumVertices;
  }
}

static int
write_scene (const struct aiScene *scene, int y_up)
{
  uint32_t head[2] = { 0, 0 };

  count (scene, &head[0], &head[1]);
  if (head[1] == 0)
    return fail ("there are no triangles in it");
  if (head[1] > MAX_TRIANGLES)
    return fail (TOO_MANY);
  fwrite ("ORRMESH", 8, 1, stdout);
  fwrite (head, sizeof head, 1, stdout);
  write_points (scene, y_up);
  write_triangles (scene);
  return fflush (stdout) == 0 ? 0 : 1;
}

int
main (int argc, char **argv)
{
  const unsigned steps = aiProcess_Triangulate | aiProcess_PreTransformVertices |
                         aiProcess_JoinIdenticalVertices | aiProcess_SortByPType;
  struct aiFileIO io = { open_file, close_file, NULL };
  const struct aiScene *scene;
  int code;

  if (argc != 2)
    return fail ("usage: read-mesh FILE");
  if (is_large_stl (argv[1]))
    return fail (TOO_MANY);
  if (is_cut_glb (argv[1]))
    return fail ("the file is shorter than it says");
  scene = aiImportFileEx (argv[1], steps, &io);
  if (scene == NULL)
    return fail (strstr (aiGetErrorString (), "bad_alloc") != NULL
                     ? "it takes more than 4 GiB to read; " TOO_MANY
                     : aiGetErrorString ());
  code = write_scene (scene, is_y_up (argv[1]));
  aiReleaseImport (scene);
  return code;
}
