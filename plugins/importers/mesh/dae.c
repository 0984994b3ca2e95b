/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh-importer.h"

MESH_IMPORTER (OrreryDaeImporter, orrery_dae_importer, "Reads meshes in COLLADA")
