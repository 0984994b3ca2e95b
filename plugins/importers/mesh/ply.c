/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh-importer.h"

MESH_IMPORTER (OrreryPlyImporter, orrery_ply_importer, "Reads meshes in PLY")
