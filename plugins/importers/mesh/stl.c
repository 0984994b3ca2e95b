/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh-importer.h"

MESH_IMPORTER (OrreryStlImporter, orrery_stl_importer, "Reads meshes in STL")
