/* The slots of nodes, found once by `prepare`: build.c fills them, emit.c reads them. */
#ifndef PLAIT_NODES_H
#define PLAIT_NODES_H

#include "scan.h"

enum { VALUE, WORDS, SOURCE, AT, TAG, SECRET, SCALAR_SLOTS };
enum { ITEMS, S_SOURCE, S_AT, S_TAG, S_LIVE, S_PARTS, S_RULE, SEQUENCE_SLOTS };
enum { ENTRIES, M_SOURCE, M_AT, M_TAG, M_LIVE, M_MARKS, M_PARTS, M_ALONE, MAPPING_SLOTS };

extern PyTypeObject *plait_scalar_type, *plait_sequence_type, *plait_mapping_type;
extern Py_ssize_t plait_scalar_slots[SCALAR_SLOTS], plait_sequence_slots[SEQUENCE_SLOTS], plait_mapping_slots[MAPPING_SLOTS];

#endif
