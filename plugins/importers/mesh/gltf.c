/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh-importer.h"

MESH_IMPORTER (OrreryGltfImporter, orrery_gltf_importer, "Reads meshes in glTF")
