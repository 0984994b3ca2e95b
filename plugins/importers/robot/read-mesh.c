/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads one file of meshes by assimp, in a process of its own, and writes its triangles: "ORRMESH",
 * numbers of points and triangles (32 bits each), points (doubles), triangles (32 bits each).
 */
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>

#define MAX_MEMORY (2ul << 30)
#define MAX_CPU 50
#define MAX_TRIANGLES 2000000u

static int
fail (const char *words)
{
  fputs (words, stdout);
  return 1;
}

static void
set_limits (void)
{
  const struct rlimit cpu = { MAX_CPU, MAX_CPU }, none = { 0, 0 };

  setrlimit (RLIMIT_CPU, &cpu);
  setrlimit (RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__
  setrlimit (RLIMIT_AS, &(struct rlimit){ MAX_MEMORY, MAX_MEMORY });
#endif
}

/* glTF has y up. */
static int
is_y_up (const char *path)
{
  const char *dot = strrchr (path, '.');

  return dot != NULL && (strcasecmp (dot, ".gltf") == 0 || strcasecmp (dot, ".glb") == 0);
}

static void
count (const struct aiScene *scene, uint32_t *n_points, uint32_t *n_triangles)
{
  for (unsigned i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *mesh = scene->mMeshes[i];

    if (mesh->mPrimitiveTypes != aiPrimitiveType_TRIANGLE)
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

    if (mesh->mPrimitiveTypes != aiPrimitiveType_TRIANGLE)
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

    if (mesh->mPrimitiveTypes != aiPrimitiveType_TRIANGLE)
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
    return fail ("it has more than 2000000 triangles");
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
  const struct aiScene *scene;
  int code;

  if (argc != 2)
    return fail ("usage: read-mesh FILE");
  set_limits ();
  scene = aiImportFile (argv[1], steps);
  if (scene == NULL)
    return fail (aiGetErrorString ());
  code = write_scene (scene, is_y_up (argv[1]));
  aiReleaseImport (scene);
  return code;
}
