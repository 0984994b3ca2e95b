/* SPDX-License-Identifier: BSD-3-Clause */
/* One call of a service: checks its arguments, runs it, and reports the answer. */
#include "part/orrery-call-private.h"

#include "base/orrery-getter-private.h"
#include "part/orrery-part-private.h"
#include "part/orrery-signature-private.h"
#include "world/orrery-world-private.h"

#include <math.h>

struct _OrreryCall {
  GObject parent_instance;

  char *service;
  GVariant *given;      /* av, as it came */
  GPtrArray *arguments; /* (element-type GVariant): of the signature's types */
  OrreryPart *part;
  guint64 number; /* between a worker and its host */
  gboolean done;
  gboolean held;      /* answered later, although its service is immediate */
  gboolean is_client; /* it came by a request manager */
  OrreryCallFault fault;
  GVariant *result;
  GError *error;
  OrreryCallFunc done_func;
  gpointer done_data;
  GDestroyNotify done_destroy;
  OrreryFeedbackFunc feedback_func;
  gpointer feedback_data;
  GDestroyNotify feedback_destroy;
  const OrreryCallWatch *watch; /* (nullable) */
  guint64 watch_number;
  gpointer watch_data;
};

G_DEFINE_FINAL_TYPE (OrreryCall, orrery_call, G_TYPE_OBJECT)

/* It is taken out before it is called or freed, because both may set another one. */
static void
end_done_func (OrreryCall *self, gboolean is_called)
{
  OrreryCallFunc func = self->done_func;
  GDestroyNotify destroy = self->done_destroy;
  gpointer data = self->done_data;

  self->done_func = NULL;
  self->done_data = NULL;
  self->done_destroy = NULL;
  if (is_called && func != NULL)
    func (self, data);
  if (destroy != NULL)
    destroy (data);
}

static void
drop_feedback_func (OrreryCall *self)
{
  if (self->feedback_destroy != NULL)
    self->feedback_destroy (self->feedback_data);
  self->feedback_func = NULL;
  self->feedback_data = NULL;
  self->feedback_destroy = NULL;
}

static void
orrery_call_finalize (GObject *object)
{
  OrreryCall *self = ORRERY_CALL (object);

  end_done_func (self, FALSE);
  drop_feedback_func (self);
  if (self->watch != NULL)
    self->watch->free (self->watch_data);
  g_clear_pointer (&self->service, g_free);
  g_clear_pointer (&self->given, g_variant_unref);
  g_clear_pointer (&self->arguments, g_ptr_array_unref);
  g_clear_pointer (&self->result, g_variant_unref);
  g_clear_error (&self->error);
  g_clear_object (&self->part);
  G_OBJECT_CLASS (orrery_call_parent_class)->finalize (object);
}

static void
orrery_call_class_init (OrreryCallClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_call_finalize;
}

static void
orrery_call_init (OrreryCall *self)
{
  self->arguments = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
}

OrreryCall *
orrery_call_new (const char *service, GVariant *arguments)
{
  OrreryCall *self = g_object_new (ORRERY_TYPE_CALL, NULL);

  self->service = g_strdup (service);
  if (arguments == NULL)
    arguments = g_variant_new_array (G_VARIANT_TYPE_VARIANT, NULL, 0);
  self->given = g_variant_ref_sink (arguments);
  return self;
}

/* --- answering --- */

static void
finish (OrreryCall *self, OrreryCallFault fault, GVariant *result, GError *error)
{
  g_autoptr (OrreryCall) alive = g_object_ref (self);

  self->done = TRUE;
  self->fault = fault;
  self->result = result != NULL ? g_variant_ref_sink (result) : NULL;
  self->error = error;

  /* Release the part first, because the callback may call it again at once. */
  if (self->part != NULL && orrery_part_get_busy (self->part) == self)
    orrery_part_set_busy (self->part, NULL);
  if (G_UNLIKELY (self->watch != NULL) && self->done_func != NULL) {
    self->watch->answering (self->watch_data);
    end_done_func (self, TRUE);
    self->watch->answered (self->watch_data);
  } else {
    end_done_func (self, TRUE);
  }
  drop_feedback_func (self);
}

void
orrery_call_return (OrreryCall *call, GVariant *value)
{
  g_return_if_fail (ORRERY_IS_CALL (call));

  if (call->done) {
    if (value != NULL)
      g_variant_unref (g_variant_ref_sink (value));
    return;
  }
  finish (call, ORRERY_CALL_OK, value, NULL);
}

void
orrery_call_refuse (OrreryCall *call, OrreryCallFault fault, GError *error)
{
  if (call->done)
    g_error_free (error);
  else
    finish (call, fault, NULL, error);
}

void
orrery_call_fail (OrreryCall *call, GError *error)
{
  g_return_if_fail (ORRERY_IS_CALL (call));
  g_return_if_fail (error != NULL);

  orrery_call_refuse (call,
                      g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_PREEMPTED)
                          ? ORRERY_CALL_PREEMPTED
                          : ORRERY_CALL_FAILED,
                      error);
}

void
orrery_call_tell_part (OrreryCall *call)
{
  const OrreryProxyFuncs *funcs;
  gpointer proxy;

  if (call->part == NULL)
    return;
  funcs = orrery_part_get_proxy (call->part, &proxy);
  if (funcs != NULL)
    funcs->cancel (proxy, call);
  else if (ORRERY_PART_GET_CLASS (call->part)->cancel != NULL)
    ORRERY_PART_CALL (call->part, "cancel",
                      ORRERY_PART_GET_CLASS (call->part)->cancel (call->part, call));
}

static void
preempt (OrreryCall *call, const char *why)
{
  /* The part may answer the call when it is told, and drop the last reference. */
  g_autoptr (OrreryCall) held = g_object_ref (call);

  orrery_call_tell_part (call);
  if (!call->done)
    orrery_call_fail (call, g_error_new (ORRERY_ERROR, ORRERY_ERROR_PREEMPTED, "%s was %s",
                                         call->service, why));
}

void
orrery_call_cancel (OrreryCall *call)
{
  g_return_if_fail (ORRERY_IS_CALL (call));

  if (call->done)
    return;
  if (call->watch != NULL)
    call->watch->cancelled (call->watch_data, call->watch_number);
  preempt (call, "cancelled");
}

void
orrery_call_watch (OrreryCall *call, const OrreryCallWatch *watch, guint64 number,
                   gpointer user_data)
{
  g_assert (call->watch == NULL);
  call->watch = watch;
  call->watch_number = number;
  call->watch_data = user_data;
}

/* --- starting --- */

static gboolean
check_count (OrreryCall *self, GPtrArray *signature)
{
  gsize given = g_variant_n_children (self->given);
  guint needed = 0;

  for (guint i = 0; i < signature->len; i++)
    if (((OrreryArgument *) signature->pdata[i])->fallback == NULL)
      needed = i + 1;
  if (given >= needed && given <= signature->len)
    return TRUE;

  orrery_call_refuse (self, ORRERY_CALL_WRONG_COUNT,
                      needed == signature->len
                          ? g_error_new (ORRERY_ERROR, ORRERY_ERROR_INVALID,
                                         "%s takes %u arguments, not %" G_GSIZE_FORMAT,
                                         self->service, needed, given)
                          : g_error_new (ORRERY_ERROR, ORRERY_ERROR_INVALID,
                                         "%s takes %u to %u arguments, not %" G_GSIZE_FORMAT,
                                         self->service, needed, signature->len, given));
  return FALSE;
}

static GVariant *
bind_one (OrreryCall *self, OrreryArgument *argument, guint i, GError **error)
{
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) value = NULL;
  GVariant *bound;

  if (i >= g_variant_n_children (self->given))
    return g_variant_ref (argument->fallback);

  boxed = g_variant_get_child_value (self->given, i);
  value = g_variant_get_variant (boxed);
  bound = orrery_variant_convert (value, argument->type, error);
  if (bound != NULL && g_variant_is_of_type (bound, G_VARIANT_TYPE_DOUBLE) &&
      !isfinite (g_variant_get_double (bound))) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "a number that is not finite");
    g_clear_pointer (&bound, g_variant_unref);
  }
  return bound;
}

static gboolean
bind_arguments (OrreryCall *self, GPtrArray *signature)
{
  if (!check_count (self, signature))
    return FALSE;

  for (guint i = 0; i < signature->len; i++) {
    OrreryArgument *argument = signature->pdata[i];
    GError *error = NULL;
    GVariant *value = bind_one (self, argument, i, &error);

    if (value == NULL) {
      g_prefix_error (&error, "argument '%s' of %s: ", argument->name, self->service);
      orrery_call_refuse (self, ORRERY_CALL_WRONG_TYPE, error);
      return FALSE;
    }
    g_ptr_array_add (self->arguments, value);
  }
  return TRUE;
}

/* A part has one long-running call at a time, so either the old one is preempted or the new one is
 * refused. */
static gboolean
take_turn (OrreryCall *self, OrreryPart *part)
{
  OrreryCall *busy = orrery_part_get_busy (part);
  const OrreryService *running;
  gboolean is_meant;

  if (busy == NULL)
    return TRUE;

  running = orrery_part_class_find_service (ORRERY_PART_GET_CLASS (part), busy->service);
  if (running != NULL && (running->flags & ORRERY_SERVICE_INTERRUPTIBLE)) {
    preempt (busy, "displaced by another call");
    return TRUE;
  }
  /* The texts are those of MORSE. */
  is_meant = running != NULL && (running->flags & ORRERY_SERVICE_NONINTERRUPTIBLE) != 0;
  orrery_call_refuse (
      self, ORRERY_CALL_FAILED,
      g_error_new (ORRERY_ERROR, ORRERY_ERROR_BUSY,
                   is_meant ? "A non-interruptible service (%s) is already running"
                            : "A service (%s) is already running. I do not know what to do.",
                   busy->service));
  return FALSE;
}

/* Returns whether the call will be answered later. */
static gboolean
call_part (OrreryCall *self, OrreryPart *part, gboolean is_long, GError **error)
{
  const OrreryProxyFuncs *funcs;
  gpointer proxy;

  funcs = orrery_part_get_proxy (part, &proxy);
  if (funcs != NULL)
    return funcs->call (proxy, self, error);
  ORRERY_PART_CALL (part, self->service,
                    ORRERY_PART_GET_CLASS (part)->call (part, self->service, self, error));
  return is_long;
}

static void
run_service (OrreryCall *self, OrreryPart *part, const OrreryService *service)
{
  gboolean is_long = (service->flags & (ORRERY_SERVICE_LONG | ORRERY_SERVICE_CONCURRENT)) != 0;
  gboolean alone = is_long && !(service->flags & ORRERY_SERVICE_CONCURRENT);
  GError *error = NULL;
  gboolean later;

  if (alone && !take_turn (self, part))
    return;
  if (alone)
    orrery_part_set_busy (part, self);

  later = call_part (self, part, is_long, &error);
  if (error != NULL)
    orrery_call_fail (self, error);
  else if (!later && !self->held)
    orrery_call_return (self, NULL);
}

void
orrery_call_hold (OrreryCall *call)
{
  call->held = TRUE;
}

void
orrery_call_start (OrreryCall *call, OrreryPart *part)
{
  const OrreryService *service =
      orrery_part_class_find_service (ORRERY_PART_GET_CLASS (part), call->service);
  g_autoptr (GPtrArray) signature = NULL;
  GError *error = NULL;

  if (call->done)
    return;
  if (service == NULL) {
    orrery_call_refuse (call, ORRERY_CALL_NO_SERVICE,
                        g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "%s has no service '%s'",
                                     orrery_part_get_name (part), call->service));
    return;
  }
  signature = orrery_signature_find (service->signature, &error);
  if (signature == NULL) {
    orrery_call_refuse (call, ORRERY_CALL_FAILED, error);
    return;
  }
  if (!bind_arguments (call, signature))
    return;
  call->part = g_object_ref (part);
  if (!(service->flags & ORRERY_SERVICE_ASKS))
    orrery_part_count_call (part);
  run_service (call, part, service);
}

gboolean
orrery_call_resume (OrreryCall *call, OrreryPart *part)
{
  const OrreryService *service =
      orrery_part_class_find_service (ORRERY_PART_GET_CLASS (part), call->service);
  g_autoptr (GPtrArray) signature = NULL;

  if (service == NULL || !(service->flags & ORRERY_SERVICE_LONG) ||
      (service->flags & ORRERY_SERVICE_CONCURRENT))
    return FALSE;
  signature = orrery_signature_find (service->signature, NULL);
  if (signature == NULL || !bind_arguments (call, signature))
    return FALSE;
  call->part = g_object_ref (part);
  orrery_part_set_busy (part, call);
  return TRUE;
}

/* --- what it holds --- */

void
orrery_call_set_number (OrreryCall *call, guint64 number)
{
  call->number = number;
}

guint64
orrery_call_get_number (OrreryCall *call)
{
  return call->number;
}

GVariant *
orrery_call_get_given (OrreryCall *call)
{
  return call->given;
}

void
orrery_call_set_client (OrreryCall *call)
{
  call->is_client = TRUE;
}

gboolean
orrery_call_is_client (OrreryCall *call)
{
  return call->is_client;
}

ORRERY_DEFINE_GETTER (const char *, orrery_call_get_service, OrreryCall, ORRERY_IS_CALL,
                      self->service)

ORRERY_DEFINE_GETTER (OrreryPart *, orrery_call_get_part, OrreryCall, ORRERY_IS_CALL, self->part)

ORRERY_DEFINE_GETTER (guint, orrery_call_get_n_arguments, OrreryCall, ORRERY_IS_CALL,
                      self->arguments->len)

GVariant *
orrery_call_get_argument (OrreryCall *call, guint index)
{
  g_return_val_if_fail (ORRERY_IS_CALL (call), NULL);
  g_return_val_if_fail (index < call->arguments->len, NULL);
  return call->arguments->pdata[index];
}

gboolean
orrery_call_get_bool (OrreryCall *call, guint index)
{
  return g_variant_get_boolean (orrery_call_get_argument (call, index));
}

gint64
orrery_call_get_int (OrreryCall *call, guint index)
{
  return g_variant_get_int64 (orrery_call_get_argument (call, index));
}

double
orrery_call_get_double (OrreryCall *call, guint index)
{
  return g_variant_get_double (orrery_call_get_argument (call, index));
}

const char *
orrery_call_get_text (OrreryCall *call, guint index)
{
  return g_variant_get_string (orrery_call_get_argument (call, index), NULL);
}

gboolean
orrery_call_is_done (OrreryCall *call)
{
  g_return_val_if_fail (ORRERY_IS_CALL (call), TRUE);
  return call->done;
}

OrreryCallFault
orrery_call_get_fault (OrreryCall *call)
{
  g_return_val_if_fail (ORRERY_IS_CALL (call), ORRERY_CALL_FAILED);
  return call->fault;
}

GVariant *
orrery_call_get_result (OrreryCall *call, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_CALL (call), NULL);

  if (!call->done)
    orrery_set_error (error, ORRERY_ERROR_BUSY, "%s is not done yet", call->service);
  else if (call->error != NULL && error != NULL)
    *error = g_error_copy (call->error);
  return call->result;
}

void
orrery_call_set_done_func (OrreryCall *call, OrreryCallFunc func, gpointer user_data,
                           GDestroyNotify destroy)
{
  g_autoptr (OrreryCall) alive = NULL;

  g_return_if_fail (ORRERY_IS_CALL (call));

  /* What is called here may drop the last reference. */
  alive = g_object_ref (call);
  end_done_func (call, FALSE);
  call->done_func = func;
  call->done_data = user_data;
  call->done_destroy = destroy;
  if (call->done)
    end_done_func (call, TRUE);
}

void
orrery_call_feedback (OrreryCall *call, GVariant *value)
{
  g_autoptr (GVariant) owned = NULL;

  g_return_if_fail (ORRERY_IS_CALL (call));
  g_return_if_fail (value != NULL);

  owned = g_variant_ref_sink (value);
  if (!call->done && call->feedback_func != NULL)
    call->feedback_func (call, owned, call->feedback_data);
}

void
orrery_call_set_feedback_func (OrreryCall *call, OrreryFeedbackFunc func, gpointer user_data,
                               GDestroyNotify destroy)
{
  g_return_if_fail (ORRERY_IS_CALL (call));

  drop_feedback_func (call);
  call->feedback_func = func;
  call->feedback_data = user_data;
  call->feedback_destroy = destroy;
  if (call->done)
    drop_feedback_func (call);
}

OrreryCall *
orrery_part_call (OrreryPart *part, const char *service, GVariant *arguments)
{
  OrreryCall *call;

  g_return_val_if_fail (ORRERY_IS_PART (part), NULL);
  g_return_val_if_fail (service != NULL, NULL);

  call = orrery_call_new (service, arguments);
  orrery_call_start (call, part);
  return call;
}

OrreryCall *
orrery_part_call_by_name (OrreryPart *self, OrreryTick *tick, const char *part, const char *service,
                          GVariant *arguments)
{
  OrreryCall *call;

  g_return_val_if_fail (ORRERY_IS_PART (self), NULL);
  g_return_val_if_fail (tick != NULL, NULL);
  g_return_val_if_fail (part != NULL, NULL);
  g_return_val_if_fail (service != NULL, NULL);

  call = orrery_call_new (service, arguments);
  if (tick->call != NULL)
    tick->call (tick->call_host, part, call);
  else
    orrery_call_refuse (call, ORRERY_CALL_NO_SERVICE,
                        g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND,
                                     "%s: '%.60s %.60s' cannot be called from a worker",
                                     orrery_part_get_name (self), part, service));
  return call;
}
