# SPDX-License-Identifier: BSD-3-Clause
public_headers += %D%/orrery-vector.h
host_sources += %D%/orrery-vector.c
host_sources += %D%/orrery-vector-columns.c
private_headers += %D%/orrery-vector-columns-private.h
