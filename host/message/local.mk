# SPDX-License-Identifier: BSD-3-Clause
public_headers += %D%/orrery-message-catalogue.h
public_headers += %D%/orrery-message-type.h
private_headers += %D%/orrery-message-type-private.h
host_sources += %D%/orrery-message-catalogue.c
host_sources += %D%/orrery-message-definition.c
host_sources += %D%/orrery-message-sums.c
host_sources += %D%/orrery-message-type.c
