/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares the shapes of a world as meshes and textures for MuJoCo's renderer. */
#include "drawing.h"

#include "hull.h"
#include "refine.h"
#include "sky.h"

#include <math.h>
#include <string.h>

/* Limit of triangles in one picture; more would take too long to draw. */
#define MAX_TRIANGLES 6000000u
/* Likewise, of what is drawn in place of others for textures. */
#define MAX_LAID 1000000u
/* Limits of a rendering context of MuJoCo. */
#define MAX_TEXTURES mjMAXTEXTURE
#define MAX_TEXTURE_BYTES ((gsize) 1 << 29)

typedef struct {
  Drawing *drawing;
  GHashTable *meshes;   /* (element-type OrreryShape GArray): the parts of each shape */
  GHashTable *textures; /* (element-type OrreryBuffer int): index + 1 */
  GHashTable *laid;     /* (element-type utf8 int): meshes with coordinates, index + 1 */
  gboolean lays;        /* objects may be given textures */
  OrreryBuffer *grid;   /* NULL: no ground has one */
  gboolean near_lamps;  /* there are lamps that are no suns */
  gboolean refines;     /* large triangles are divided for them */
  double roots;         /* m: the sum of the roots of the areas of all shapes */
  gsize n_triangles;    /* of all meshes */
  guint n_added;        /* triangles, by dividing */
  guint n_laid;         /* triangles of meshes in place of others */
  gboolean too_many;
} Builder;

/* The part of a shape that has one material. */
typedef struct {
  int mesh; /* -1: the renderer draws such a shape itself */
  guint material;
  OrreryVec3 center;
  double radius;
  gboolean has_coordinates;
  gboolean is_box; /* its coordinates are those of a grid */
} Part;

/* --- textures --- */

static void
add_number (Drawing *drawing, DrawingNumber which, gsize value)
{
  int number = (int) value;

  g_array_append_val (drawing->numbers[which], number);
}

static int
add_texture (Builder *builder, OrreryBuffer *pixels, int type)
{
  Drawing *drawing = builder->drawing;
  int known = GPOINTER_TO_INT (g_hash_table_lookup (builder->textures, pixels));
  int n = (int) g_hash_table_size (builder->textures);
  gsize size = orrery_buffer_get_size (pixels);

  if (known > 0)
    return known - 1;
  /* A surface whose texture cannot be used keeps its colour. */
  if (n >= MAX_TEXTURES || size == 0 || size > MAX_TEXTURE_BYTES - drawing->texture_rgb->len)
    return -1;
  add_number (drawing, DRAWING_TEXTURE_TYPE, (gsize) type);
  add_number (drawing, DRAWING_TEXTURE_HEIGHT, orrery_buffer_get_length (pixels, 0));
  add_number (drawing, DRAWING_TEXTURE_WIDTH, orrery_buffer_get_length (pixels, 1));
  add_number (drawing, DRAWING_TEXTURE_DATA, drawing->texture_rgb->len);
  g_byte_array_append (drawing->texture_rgb, orrery_buffer_get_data (pixels), (guint) size);
  g_hash_table_insert (builder->textures, pixels, GINT_TO_POINTER (n + 1));
  return n;
}

/* --- meshes --- */

static void
add_mesh (Drawing *drawing, const Mesh *mesh)
{
  guint n = mesh_get_n_triangles (mesh);
  gboolean has_coordinates = mesh->coordinates->len > 0;

  add_number (drawing, DRAWING_MESH_VERTEX, drawing->mesh.vertices->len / 3);
  add_number (drawing, DRAWING_MESH_N_VERTICES, 3 * n);
  add_number (drawing, DRAWING_MESH_COORDINATES,
              has_coordinates ? drawing->mesh.coordinates->len / 2 : (gsize) -1);
  add_number (drawing, DRAWING_MESH_FACE, drawing->faces->len / 3);
  add_number (drawing, DRAWING_MESH_N_FACES, n);
  add_number (drawing, DRAWING_MESH_GRAPH, (gsize) -1);
  g_array_append_vals (drawing->mesh.vertices, mesh->vertices->data, mesh->vertices->len);
  g_array_append_vals (drawing->mesh.normals, mesh->normals->data, mesh->normals->len);
  g_array_append_vals (drawing->mesh.coordinates, mesh->coordinates->data, mesh->coordinates->len);
  for (int i = 0; i < (int) (3 * n); i++)
    g_array_append_val (drawing->faces, i);
}

/* Returns: its index, or -1 */
static int
put_mesh (Builder *builder, const Mesh *mesh)
{
  Drawing *drawing = builder->drawing;

  if (mesh_get_n_triangles (mesh) == 0)
    return -1;
  add_mesh (drawing, mesh);
  return (int) drawing->numbers[DRAWING_MESH_VERTEX]->len - 1;
}

static void
make_part (Builder *builder, OrreryShape *shape, guint material, double grid, GArray *parts)
{
  Part part = { .mesh = -1,
                .material = material == G_MAXUINT ? 0 : material,
                .is_box = orrery_shape_get_kind (shape) == ORRERY_SHAPE_BOX };
  Mesh mesh;

  mesh_init (&mesh);
  if (orrery_shape_get_kind (shape) == ORRERY_SHAPE_CONE)
    mesh_add_round (&mesh, shape);
  else if (orrery_shape_get_kind (shape) == ORRERY_SHAPE_HULL)
    hull_add_shape (&mesh, shape);
  else if (part.is_box)
    mesh_add_box (&mesh, orrery_shape_get_size (shape), 2 * grid);
  else
    mesh_add_shape (&mesh, shape, material);
  part.has_coordinates = mesh.coordinates->len > 0;
  if (builder->lays && !part.is_box && !part.has_coordinates)
    mesh_lay_texture (&mesh, shape);
  if (builder->refines)
    builder->n_added +=
        refine_mesh (&mesh, refine_find_edge (refine_get_area (shape), builder->roots),
                     REFINE_BUDGET - builder->n_added);
  part.center = mesh.center;
  part.radius = mesh.radius;
  if (mesh_get_n_triangles (&mesh) >
      MAX_TRIANGLES - (builder->drawing->faces->len / 3 - builder->n_laid))
    builder->too_many = TRUE;
  else
    part.mesh = put_mesh (builder, &mesh);
  if (part.mesh >= 0)
    g_array_append_val (parts, part);
  mesh_clear (&mesh);
}

/* Several objects may share a shape. @grid: m, the distance of lines on a box, or 0 */
static GArray *
find_parts (Builder *builder, OrreryShape *shape, double grid)
{
  GArray *parts = g_hash_table_lookup (builder->meshes, shape);
  guint n = orrery_shape_get_n_materials (shape);

  if (parts != NULL)
    return parts;
  parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_hash_table_insert (builder->meshes, shape, parts);
  if (n <= 1 || orrery_shape_get_triangle_materials (shape) == NULL)
    make_part (builder, shape, G_MAXUINT, grid, parts);
  else
    for (guint i = 0; i < n; i++)
      make_part (builder, shape, i, grid, parts);
  return parts;
}

static void
make_laid (Builder *builder, OrreryShape *shape, gboolean divided, Mesh *mesh)
{
  const OrreryVec3 *s = orrery_shape_get_size (shape);
  /* As fine as the renderer's own. */
  double edge = fmax (s->x, fmax (s->y, s->z)) / 2;

  if (orrery_shape_get_kind (shape) != ORRERY_SHAPE_BOX) {
    mesh_add_round (mesh, shape);
    mesh_lay_texture (mesh, shape);
    return;
  }
  mesh_add_box (mesh, s, 0);
  mesh_lay_texture (mesh, shape);
  if (divided)
    edge = refine_find_edge (refine_get_area (shape), builder->roots);
  refine_mesh (mesh, edge, REFINE_BUDGET);
}

/* A mesh in place of a box, or of what the renderer draws itself, that a texture can be laid on;
 * shapes of one size share it. Returns: its index, or -1: there are too many */
static int
find_laid (Builder *builder, OrreryShape *shape, gboolean divided)
{
  const OrreryVec3 *s = orrery_shape_get_size (shape);
  g_autofree char *key = g_strdup_printf ("%d %d %a %a %a", (int) orrery_shape_get_kind (shape),
                                          divided, s->x, s->y, s->z);
  gpointer known;
  Mesh mesh;
  int index = -1;

  if (g_hash_table_lookup_extended (builder->laid, key, NULL, &known))
    return GPOINTER_TO_INT (known) - 1;
  mesh_init (&mesh);
  make_laid (builder, shape, divided, &mesh);
  if (mesh_get_n_triangles (&mesh) <= MAX_LAID - builder->n_laid) {
    builder->n_laid += mesh_get_n_triangles (&mesh);
    index = put_mesh (builder, &mesh);
  }
  mesh_clear (&mesh);
  g_hash_table_insert (builder->laid, g_steal_pointer (&key), GINT_TO_POINTER (index + 1));
  return index;
}

/* --- pieces --- */

/* Light grey where there is no material. */
static void
find_look (Builder *builder, OrreryMaterial *material, gboolean has_coordinates,
           DrawingMaterial *out)
{
  static const double plain[4] = { 0.8, 0.8, 0.8, 1 };
  const double *color = material != NULL ? orrery_material_get_color (material) : plain;

  *out = (DrawingMaterial){ .texture = -1 };
  for (guint i = 0; i < 4; i++)
    out->rgba[i] = (float) color[i];
  if (material == NULL)
    return;
  out->emission = (float) orrery_material_get_emission (material);
  out->specular = (float) orrery_material_get_specular (material);
  out->shininess = (float) orrery_material_get_shininess (material);
  if (has_coordinates && orrery_material_get_texture (material) != NULL)
    out->texture = add_texture (builder, orrery_material_get_texture (material), mjTEXTURE_2D);
}

void
drawing_set_look (mjvGeom *geom, const DrawingMaterial *look)
{
  memcpy (geom->rgba, look->rgba, sizeof look->rgba);
  geom->emission = look->emission;
  geom->specular = look->specular;
  geom->shininess = look->shininess;
  geom->reflectance = 0;
  geom->texid = look->texture;
  geom->texcoord = look->texture >= 0;
  geom->texuniform = 0;
  geom->texrepeat[0] = geom->texrepeat[1] = 1;
}

/* An object with the property `Grid` has lines at that distance, m, on its boxes. */
static double
get_grid (OrreryObject *object)
{
  GVariant *value = orrery_object_get_value (object, "Grid");
  double distance = 0;

  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    distance = g_variant_get_double (value);
  else if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    distance = (double) g_variant_get_int64 (value);
  return distance >= 1e-3 && distance <= 1e6 ? distance : 0;
}

static void
set_grid (Builder *builder, Piece *piece, double distance, const Part *part)
{
  mjvGeom *geom = &piece->geom;
  gboolean divided = part->is_box && part->has_coordinates;

  if (distance == 0 || geom->texid >= 0 || (geom->type != mjGEOM_BOX && !divided))
    return;
  if (builder->grid == NULL)
    builder->grid = grid_new ();
  geom->texid = add_texture (builder, builder->grid, mjTEXTURE_2D);
  geom->texcoord = divided && geom->texid >= 0;
  geom->texuniform = 1;
  piece->has_grid = geom->texid >= 0;
  /* The texture has two cells; MuJoCo counts repeats in half a unit. */
  geom->texrepeat[0] = geom->texrepeat[1] = (float) (1 / distance);
}

/* A box about its origin that holds a closed piece. */
static void
set_extent (Piece *piece, OrreryShape *shape, const Part *part)
{
  const OrreryVec3 *s = orrery_shape_get_size (shape);
  double around = part->radius + orrery_vec3_length (&part->center);

  piece->closed = orrery_shape_get_kind (shape) != ORRERY_SHAPE_MESH;
  piece->half = (OrreryVec3){ around, around, around };
  if (orrery_shape_get_kind (shape) == ORRERY_SHAPE_BOX)
    piece->half = *s;
  else if (orrery_shape_get_kind (shape) == ORRERY_SHAPE_CYLINDER)
    piece->half = (OrreryVec3){ s->x, s->x, s->z };
}

static void
add_piece (Builder *builder, OrreryObject *object, OrreryShape *shape, int type,
           const mjtNum size[3], const Part *part)
{
  Piece piece = { .object = orrery_object_get_index (object), .radius = part->radius, .laid = -1 };
  DrawingMaterial look;

  piece.offset = *orrery_shape_get_pose (shape);
  orrery_transform_apply (&piece.offset, &part->center, &piece.center);
  mjv_initGeom (&piece.geom, type, size, NULL, NULL, NULL);
  piece.geom.dataid = part->mesh >= 0 ? 2 * part->mesh : -1;
  piece.geom.objtype = mjOBJ_UNKNOWN;
  piece.geom.objid = -1;
  piece.geom.category = mjCAT_DYNAMIC;
  piece.geom.segid = (int) piece.object;
  piece.geom.modelrbound = (float) part->radius;
  set_extent (&piece, shape, part);
  find_look (builder, orrery_shape_get_material (shape, part->material),
             part->has_coordinates && !part->is_box, &look);
  drawing_set_look (&piece.geom, &look);
  set_grid (builder, &piece, get_grid (object), part);
  if (builder->lays && (part->mesh < 0 || part->is_box))
    piece.laid = 2 * find_laid (builder, shape, part->is_box);
  else if (builder->lays)
    piece.laid = piece.geom.dataid;
  if (piece.geom.rgba[3] > 0)
    g_array_append_val (builder->drawing->pieces, piece);
}

/* Shapes that the renderer has itself. Returns: its type, or -1. */
static int
find_type (OrreryShape *shape, mjtNum size[3], double *radius)
{
  const OrreryVec3 *s = orrery_shape_get_size (shape);

  size[0] = s->x;
  size[1] = s->z;
  size[2] = 0;
  switch (orrery_shape_get_kind (shape)) {
  case ORRERY_SHAPE_BOX:
    size[1] = s->y;
    size[2] = s->z;
    *radius = orrery_vec3_length (s);
    return mjGEOM_BOX;
  case ORRERY_SHAPE_SPHERE:
    *radius = s->x;
    return mjGEOM_SPHERE;
  case ORRERY_SHAPE_CYLINDER:
    *radius = hypot (s->x, s->z);
    return mjGEOM_CYLINDER;
  case ORRERY_SHAPE_CAPSULE:
    *radius = s->x + s->z;
    return mjGEOM_CAPSULE;
  default:
    return -1;
  }
}

/* The renderer itself divides each face of a box in 4 by 4. */
static gboolean
is_divided (Builder *builder, OrreryShape *shape)
{
  const OrreryVec3 *s = orrery_shape_get_size (shape);

  return builder->refines && orrery_shape_get_kind (shape) == ORRERY_SHAPE_BOX &&
         fmax (s->x, fmax (s->y, s->z)) / 2 >
             refine_find_edge (refine_get_area (shape), builder->roots);
}

static void
add_shape (Builder *builder, OrreryObject *object, OrreryShape *shape)
{
  Part own = { .mesh = -1 };
  mjtNum size[3];
  int type = find_type (shape, size, &own.radius);
  GArray *parts;

  if (type >= 0 && !is_divided (builder, shape)) {
    add_piece (builder, object, shape, type, size, &own);
    return;
  }
  size[0] = size[1] = size[2] = 1;
  parts = find_parts (builder, shape, get_grid (object));
  for (guint i = 0; i < parts->len; i++)
    add_piece (builder, object, shape, mjGEOM_MESH, size, &g_array_index (parts, Part, i));
}

typedef void (*ShapeFunc) (Builder *builder, OrreryObject *object, OrreryShape *shape);

/* As for rays, collision shapes are not visible if there is a visual model. They have the sizes of
 * the scene: each picture is scaled where it is drawn. */
static void
foreach_shape (Builder *builder, OrreryObject *object, ShapeFunc func)
{
  GPtrArray *shapes = orrery_object_get_scene_shapes (object);
  gboolean has_model = FALSE;

  for (guint i = 0; i < shapes->len; i++)
    has_model |=
        orrery_shape_is_visible (shapes->pdata[i]) && !orrery_shape_is_solid (shapes->pdata[i]);
  for (guint i = 0; i < shapes->len; i++)
    if (orrery_shape_is_visible (shapes->pdata[i]) &&
        !(has_model && orrery_shape_is_solid (shapes->pdata[i])))
      func (builder, object, shapes->pdata[i]);
}

/* --- lamps --- */

static void
add_lamp (Builder *builder, OrreryObject *object)
{
  const OrreryLamp *lamp = orrery_object_get_lamp (object);

  if (lamp == NULL)
    return;
  g_ptr_array_add (builder->drawing->lamps, object);
  builder->drawing->shadows |= lamp->shadows;
  builder->near_lamps |= lamp->kind != ORRERY_LAMP_SUN;
}

static void
add_size (Builder *builder, OrreryObject *object, OrreryShape *shape)
{
  OrreryBuffer *triangles = orrery_shape_get_triangles (shape);

  builder->roots += sqrt (refine_get_area (shape));
  if (triangles != NULL)
    builder->n_triangles += orrery_buffer_get_length (triangles, 0);
}

/* --- materials that objects may be given --- */

static gboolean
has_textures (OrreryWorld *world)
{
  for (guint i = 0; i < orrery_world_get_n_materials (world); i++)
    if (orrery_material_get_texture (orrery_world_get_material (world, i)) != NULL)
      return TRUE;
  return FALSE;
}

static void
add_materials (Builder *builder, OrreryWorld *world)
{
  for (guint i = 0; i < orrery_world_get_n_materials (world); i++) {
    DrawingMaterial look;

    find_look (builder, orrery_world_get_material (world, i), TRUE, &look);
    g_array_append_val (builder->drawing->materials, look);
  }
}

/* --- the whole --- */

/* The light of a sun is the same everywhere; that of other lamps is not. */
static void
measure (Builder *builder, OrreryWorld *world)
{
  if (!builder->near_lamps)
    return;
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++)
    foreach_shape (builder, orrery_world_get_object (world, i), add_size);
  builder->refines = builder->n_triangles + REFINE_BUDGET < MAX_TRIANGLES;
}

static void
init (Drawing *drawing)
{
  *drawing = (Drawing){ .pieces = g_array_new (FALSE, FALSE, sizeof (Piece)),
                        .lamps = g_ptr_array_new (),
                        .faces = g_array_new (FALSE, FALSE, sizeof (int)),
                        .texture_rgb = g_byte_array_new (),
                        .materials = g_array_new (FALSE, FALSE, sizeof (DrawingMaterial)) };
  for (guint i = 0; i < DRAWING_N_NUMBERS; i++)
    drawing->numbers[i] = g_array_new (FALSE, FALSE, sizeof (int));
  mesh_init (&drawing->mesh);
}

gboolean
drawing_build (Drawing *drawing, OrreryWorld *world, GError **error)
{
  Builder builder = {
    .drawing = drawing,
    .meshes = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref),
    .textures = g_hash_table_new (NULL, NULL),
    .laid = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .lays = has_textures (world),
  };
  g_autoptr (OrreryBuffer) sky = sky_new ();

  init (drawing);
  add_texture (&builder, sky, mjTEXTURE_SKYBOX);
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++)
    add_lamp (&builder, orrery_world_get_object (world, i));
  measure (&builder, world);
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++)
    foreach_shape (&builder, orrery_world_get_object (world, i), add_shape);
  add_materials (&builder, world);
  g_clear_pointer (&builder.grid, orrery_buffer_unref);
  g_hash_table_unref (builder.meshes);
  g_hash_table_unref (builder.textures);
  g_hash_table_unref (builder.laid);
  if (builder.too_many)
    orrery_set_error (
        error, ORRERY_ERROR_CONFIG,
        "the world has more than %u triangles that are seen; give large meshes the key "
        "'visible': false, or fewer triangles",
        MAX_TRIANGLES);
  return !builder.too_many;
}

void
drawing_clear (Drawing *drawing)
{
  g_clear_pointer (&drawing->pieces, g_array_unref);
  g_clear_pointer (&drawing->lamps, g_ptr_array_unref);
  g_clear_pointer (&drawing->faces, g_array_unref);
  g_clear_pointer (&drawing->texture_rgb, g_byte_array_unref);
  g_clear_pointer (&drawing->materials, g_array_unref);
  for (guint i = 0; i < DRAWING_N_NUMBERS; i++)
    g_clear_pointer (&drawing->numbers[i], g_array_unref);
  mesh_clear (&drawing->mesh);
}

#define INTS(array) ((int *) (gpointer) (array)->data)
#define FLOATS(array) ((float *) (gpointer) (array)->data)

void
drawing_fill_model (const Drawing *drawing, mjModel *model)
{
  GArray *const *numbers = drawing->numbers;

  model->nmesh = (int) numbers[DRAWING_MESH_VERTEX]->len;
  model->nmeshvert = (int) drawing->mesh.vertices->len / 3;
  model->nmeshtexvert = (int) drawing->mesh.coordinates->len / 2;
  model->nmeshface = (int) drawing->faces->len / 3;
  model->mesh_vertadr = INTS (numbers[DRAWING_MESH_VERTEX]);
  model->mesh_vertnum = INTS (numbers[DRAWING_MESH_N_VERTICES]);
  model->mesh_texcoordadr = INTS (numbers[DRAWING_MESH_COORDINATES]);
  model->mesh_faceadr = INTS (numbers[DRAWING_MESH_FACE]);
  model->mesh_facenum = INTS (numbers[DRAWING_MESH_N_FACES]);
  model->mesh_graphadr = INTS (numbers[DRAWING_MESH_GRAPH]);
  model->mesh_vert = FLOATS (drawing->mesh.vertices);
  model->mesh_normal = FLOATS (drawing->mesh.normals);
  model->mesh_texcoord = FLOATS (drawing->mesh.coordinates);
  model->mesh_face = INTS (drawing->faces);
  model->ntex = (int) numbers[DRAWING_TEXTURE_TYPE]->len;
  model->ntexdata = (int) drawing->texture_rgb->len;
  model->tex_type = INTS (numbers[DRAWING_TEXTURE_TYPE]);
  model->tex_height = INTS (numbers[DRAWING_TEXTURE_HEIGHT]);
  model->tex_width = INTS (numbers[DRAWING_TEXTURE_WIDTH]);
  model->tex_adr = INTS (numbers[DRAWING_TEXTURE_DATA]);
  model->tex_rgb = drawing->texture_rgb->data;
}
