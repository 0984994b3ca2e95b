/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The trees of links of a world, with their motors. Tick thread only. */

#include "engine.h"

G_BEGIN_DECLS

/* A joint that follows another one. */
typedef struct {
  CouplingOrder order;
  const OrreryConstraint *coupling;
  Tree *tree, *leading; /* may be the same */
  guint link, leader;
} TreeCoupling;

struct _TreeSet {
  BodySet *set;
  GPtrArray *trees;  /* (element-type Tree) */
  GArray *members;   /* bodies that are links, in the order of the objects */
  GArray *motors;    /* (element-type Motor) */
  GArray *couplings; /* (element-type TreeCoupling), leaders first */
  gboolean measured; /* somebody asks for the wrench of a joint */
  guint *member_of;  /* of an object: place among the members, or G_MAXUINT */
  guint n_objects;   /* that it knows */
};

/* Whether Bullet does the dynamics of an object's joint. Links of a body with wheels on rays follow
 * their motors instead. */
gboolean tree_set_moves (OrreryObject *object);
/* Whether links that it does so for hang on an object. */
gboolean tree_set_has_links (OrreryObject *object);
/* Constraints that only other engines hold; FALSE with an error about the object. */
gboolean tree_set_check (OrreryWorld *world, GError **error);

/* Once all bodies of @set are there; *@error is set if they cannot be. NULL: there are no links. */
TreeSet *tree_set_new (BodySet *set, GError **error);
void tree_set_free (TreeSet *trees);
/* The set has further bodies, which are there behind the others; after an error nothing has
 * changed. */
gboolean tree_set_extend (TreeSet *trees, guint n_objects, GError **error);
/* Without the links of objects behind @n_objects. */
void tree_set_shrink (TreeSet *trees, guint n_objects);

void tree_set_take (TreeSet *trees, const OrreryCommand *command);
/* The mass of an object that is a link, or has links, has changed. */
void tree_set_weigh (TreeSet *trees, OrreryObject *object);
/* One that is a link, or has links, has come into the world or left it: it begins at its start. */
void tree_set_present (TreeSet *trees, Body *body, gboolean present);
/* Before a substep: where what carries links is now. */
void tree_set_place (TreeSet *trees);
/* In it: rates without contacts; then, with them, without the friction of the last substep. */
void tree_set_accelerate (TreeSet *trees, double dt);
void tree_set_take_back (TreeSet *trees);
/* Where wrenches are measured: at the end, before trees are integrated.
 */
void tree_set_find_loads (TreeSet *trees, double dt);
/* At its end. */
void tree_set_integrate (TreeSet *trees, double dt);
/* Before poses are read: trees go along with what holds or carries them, which was put since. */
void tree_set_follow (TreeSet *trees);
void tree_set_read (TreeSet *trees, OrrerySnapshot *snapshot);

/* saved.c. What is not in the states of bodies: `(ada(ddddddddu))`, floating. FALSE: it is of other
 * trees. */
GVariant *tree_set_save (TreeSet *trees);
gboolean tree_set_restore (TreeSet *trees, GVariant *state);

G_END_DECLS
