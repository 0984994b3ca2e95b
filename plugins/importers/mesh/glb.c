/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh-importer.h"

MESH_IMPORTER (OrreryGlbImporter, orrery_glb_importer, "Reads meshes in binary glTF")
