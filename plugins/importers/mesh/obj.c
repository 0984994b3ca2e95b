/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh-importer.h"

MESH_IMPORTER (OrreryObjImporter, orrery_obj_importer, "Reads meshes in Wavefront OBJ")
