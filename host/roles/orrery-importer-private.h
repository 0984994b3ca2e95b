/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-importer.h"

OrreryImport *orrery_import_new (OrreryWorld *world);
