/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls Fast DDS for C: a type whose samples are bytes, participants, writers and readers. */
#include "dds-shim.h"
#include "fast-dds.h"

#include <cstring>
#include <map>
#include <mutex>

using namespace eprosima::fastdds::dds;
namespace rtps = fastdds::rtps;
using fastdds::Duration_t;

namespace {

/* The announcements that tell of a participant: to so many on one machine, this often. */
const uint32_t MAX_NEIGHBOURS = 32;
const Duration_t ANNOUNCEMENT_PERIOD (1, 0);
const Duration_t LEASE (10, 0);
/* How often a writer asks readers that have not confirmed what they have. Fast DDS's own 3 s would
 * be the delay of each answer whose reader was found late. */
const uint32_t HEARTBEAT_NS = 200 * 1000 * 1000;
/* Until a sample that a slow reader still needs gives way. */
const Duration_t BLOCKING (0, 100 * 1000 * 1000);

/* What Fast DDS is given to write or to fill. */
struct Sample {
  const DdsPart *parts = nullptr;
  guint n_parts = 0;
  gsize max = 0;
  GBytes *bytes = nullptr;

  uint32_t get_length () const
  {
    gsize length = 0;

    for (guint i = 0; i < n_parts; i++)
      length += parts[i].length;
    return uint32_t (length);
  }
};

class BytesType : public fastdds::RawType {
public:
  using RawType::RawType;

  uint32_t get_length (const void *data) const override
  {
    return static_cast<const Sample *> (data)->get_length ();
  }

  bool pack (const void *data, rtps::SerializedPayload_t &payload) override
  {
    auto sample = static_cast<const Sample *> (data);
    uint32_t at = 0;

    if (payload.max_size < sample->get_length ())
      return false;
    for (guint i = 0; i < sample->n_parts; at += uint32_t (sample->parts[i++].length))
      if (sample->parts[i].length > 0)
        memcpy (payload.data + at, sample->parts[i].data, sample->parts[i].length);
    payload.length = at;
    payload.encapsulation = at > 1 && payload.data[1] == 0 ? CDR_BE : CDR_LE;
    return true;
  }

  bool unpack (const rtps::SerializedPayload_t &payload, void *data) override
  {
    auto sample = static_cast<Sample *> (data);

    g_clear_pointer (&sample->bytes, g_bytes_unref);
    if (payload.length <= sample->max)
      sample->bytes = g_bytes_new (payload.data, payload.length);
    return true;
  }

  void *create () override
  {
    return new Sample;
  }

  void destroy (void *data) override
  {
    auto sample = static_cast<Sample *> (data);

    g_clear_pointer (&sample->bytes, g_bytes_unref);
    delete sample;
  }
};

void
set_guid (DdsGuid *to, const rtps::GUID_t &from)
{
  memcpy (to->bytes, from.guidPrefix.value, DDS_GUID_PREFIX);
  memcpy (to->bytes + DDS_GUID_PREFIX, from.entityId.value, 4);
}

rtps::GUID_t
to_guid (const DdsGuid &from)
{
  rtps::GUID_t to;

  memcpy (to.guidPrefix.value, from.bytes, DDS_GUID_PREFIX);
  memcpy (to.entityId.value, from.bytes + DDS_GUID_PREFIX, 4);
  return to;
}

gint64
to_number (const rtps::SequenceNumber_t &from)
{
  return gint64 (guint64 (guint32 (from.high)) << 32 | from.low);
}

void
set_identity (DdsIdentity *to, const rtps::SampleIdentity &from)
{
  if (from.writer_guid () == rtps::GUID_t::unknown ())
    *to = DdsIdentity{};
  else
    set_guid (&to->guid, from.writer_guid ());
  to->number = to_number (from.sequence_number ());
}

const char *
name_policy (QosPolicyId_t policy)
{
  switch (policy) {
  case RELIABILITY_QOS_POLICY_ID:
    return "reliability";
  case DURABILITY_QOS_POLICY_ID:
    return "durability";
  case DEADLINE_QOS_POLICY_ID:
    return "deadline";
  case LIVELINESS_QOS_POLICY_ID:
    return "liveliness";
  case OWNERSHIP_QOS_POLICY_ID:
    return "ownership";
  default:
    return "quality of service";
  }
}

/* The name of each exception ends here. */
template <typename Result, typename Function>
Result
guard (Result failure, GError **error, Function function)
{
  try {
    return function ();
  } catch (const std::exception &exception) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Fast DDS: %s", exception.what ());
  } catch (...) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Fast DDS failed");
  }
  return failure;
}

} // namespace

struct _DdsParticipant {
  DomainParticipant *own = nullptr;
  Publisher *publisher = nullptr;
  Subscriber *subscriber = nullptr;
  std::mutex lock;
  std::map<std::string, guint> n_users; /* of topics, by name */

  Topic *use_topic (const char *name, const char *type, GError **error);
  void leave_topic (Topic *topic);
};

struct _DdsWriter : public DataWriterListener {
  DdsParticipant *participant = nullptr;
  Topic *topic = nullptr;
  DataWriter *own = nullptr;
  const DdsEvents *events = nullptr;
  gpointer data = nullptr;

  void on_publication_matched (DataWriter *, const PublicationMatchedStatus &status) override
  {
    DdsGuid guid;

    set_guid (&guid, static_cast<const rtps::GUID_t &> (status.last_subscription_handle));
    events->matched (data, &guid, status.current_count_change, guint (status.current_count));
  }

  void on_offered_incompatible_qos (DataWriter *,
                                    const OfferedIncompatibleQosStatus &status) override
  {
    events->refused (data, name_policy (status.last_policy_id));
  }
};

struct _DdsReader : public DataReaderListener {
  DdsParticipant *participant = nullptr;
  Topic *topic = nullptr;
  DataReader *own = nullptr;
  const DdsEvents *events = nullptr;
  gpointer data = nullptr;

  void on_subscription_matched (DataReader *, const SubscriptionMatchedStatus &status) override
  {
    DdsGuid guid;

    set_guid (&guid, static_cast<const rtps::GUID_t &> (status.last_publication_handle));
    events->matched (data, &guid, status.current_count_change, guint (status.current_count));
  }

  void on_requested_incompatible_qos (DataReader *,
                                      const RequestedIncompatibleQosStatus &status) override
  {
    events->refused (data, name_policy (status.last_policy_id));
  }

  void on_data_available (DataReader *) override
  {
    events->available (data);
  }
};

/* --- participants --- */

namespace {

void
set_transport (DomainParticipantQos &qos, const DdsParticipantOptions *options)
{
  auto udp = std::make_shared<fastdds::UDPv4TransportDescriptor> ();

  for (auto at = options->interfaces; at != nullptr && *at != nullptr; at++)
    udp->interfaceWhiteList.push_back (*at);
  udp->maxInitialPeersRange = MAX_NEIGHBOURS;
  qos.transport ().use_builtin_transports = false;
  qos.transport ().user_transports.push_back (udp);
}

void
set_discovery (DomainParticipantQos &qos, const DdsParticipantOptions *options)
{
  auto &builtin = qos.wire_protocol ().builtin;

  if (!options->discovers)
    builtin.discovery_config.discoveryProtocol = fastdds::DiscoveryProtocol::NONE;
  builtin.discovery_config.leaseDuration = LEASE;
  builtin.discovery_config.leaseDuration_announcementperiod = ANNOUNCEMENT_PERIOD;
  for (auto at = options->peers; at != nullptr && *at != nullptr; at++) {
    rtps::Locator_t locator;

    /* Without a port: those of the first participants of a machine. */
    rtps::IPLocator::setIPv4 (locator, *at);
    builtin.initialPeersList.push_back (locator);
  }
  if (options->multicast && !builtin.initialPeersList.empty ()) {
    rtps::Locator_t locator;

    rtps::IPLocator::setIPv4 (locator, "239.255.0.1");
    locator.port = qos.wire_protocol ().port.getMulticastPort (options->domain);
    builtin.initialPeersList.push_back (locator);
  }
  if (!options->multicast) {
    rtps::Locator_t locator;

    /* An address of its own keeps it from joining the group. */
    rtps::IPLocator::setIPv4 (locator,
                              options->interfaces != nullptr ? *options->interfaces : "0.0.0.0");
    builtin.metatrafficUnicastLocatorList.push_back (locator);
  }
}

void
make_participant (DdsParticipant *participant, const DdsParticipantOptions *options)
{
  DomainParticipantQos qos;
  const char enclave[] = "enclave=/;";

  qos.name (options->name);
  qos.user_data ().assign (enclave, enclave + sizeof enclave - 1);
  set_transport (qos, options);
  set_discovery (qos, options);
  participant->own =
      DomainParticipantFactory::get_instance ()->create_participant (options->domain, qos, nullptr,
                                                                     StatusMask::none ());
  if (participant->own == nullptr)
    return;
  participant->publisher = participant->own->create_publisher (PUBLISHER_QOS_DEFAULT);
  participant->subscriber = participant->own->create_subscriber (SUBSCRIBER_QOS_DEFAULT);
}

} // namespace

DdsParticipant *
dds_participant_new (const DdsParticipantOptions *options, GError **error)
{
  auto participant = new DdsParticipant;
  gboolean made = guard (FALSE, error, [=] {
    /* It would print. */
    Log::ClearConsumers ();
    make_participant (participant, options);
    return TRUE;
  });

  if (participant->publisher != nullptr && participant->subscriber != nullptr)
    return participant;
  if (made)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                 "Fast DDS cannot take part in domain %u: no free port, or no such interface",
                 options->domain);
  dds_participant_free (participant);
  return nullptr;
}

void
dds_participant_free (DdsParticipant *participant)
{
  guard (FALSE, nullptr, [=] {
    if (participant->own == nullptr)
      return TRUE;
    participant->own->delete_contained_entities ();
    DomainParticipantFactory::get_instance ()->delete_participant (participant->own);
    return TRUE;
  });
  delete participant;
}

void
dds_participant_get_guid (DdsParticipant *participant, DdsGuid *guid)
{
  set_guid (guid, participant->own->guid ());
}

/* --- topics --- */

/* Several ends of one participant share the topic and its type. */
Topic *
_DdsParticipant::use_topic (const char *name, const char *type, GError **error)
{
  std::lock_guard<std::mutex> guard (lock);
  auto known = own->lookup_topicdescription (name);

  if (known != nullptr && known->get_type_name () != type) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS, "the topic %s has the type %s here, not %s",
                 name, known->get_type_name ().c_str (), type);
    return nullptr;
  }
  if (own->find_type (type).empty ())
    own->register_type (TypeSupport (new BytesType (type)));

  auto topic = known != nullptr ? static_cast<Topic *> (known)
                                : own->create_topic (name, type, TOPIC_QOS_DEFAULT);
  if (topic != nullptr)
    n_users[name]++;
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Fast DDS refuses the topic %s of type %s",
                 name, type);
  return topic;
}

void
_DdsParticipant::leave_topic (Topic *topic)
{
  std::lock_guard<std::mutex> guard (lock);
  auto name = topic->get_name ();

  if (--n_users[name] > 0)
    return;
  n_users.erase (name);
  own->delete_topic (topic);
}

/* --- writers and readers --- */

namespace {

/* What both ends have in common. */
template <typename Qos>
void
set_qos (Qos &qos, const DdsEndOptions *options)
{
  const DdsQos &wanted = options->qos;
  const char *text = options->user_data != nullptr ? options->user_data : "";
  auto depth = int32_t (MAX (wanted.depth, 1u));

  qos.user_data ().assign (text, text + strlen (text));
  qos.reliability ().kind =
      wanted.reliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
  qos.reliability ().max_blocking_time = BLOCKING;
  qos.durability ().kind =
      wanted.transient_local ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
  qos.history ().kind = KEEP_LAST_HISTORY_QOS;
  qos.history ().depth = depth;
  qos.resource_limits ().max_samples = MAX (depth, 5000);
  qos.resource_limits ().max_samples_per_instance = MAX (depth, 5000);
  qos.resource_limits ().allocated_samples = 1;
  qos.endpoint ().history_memory_policy = rtps::DYNAMIC_REUSABLE_MEMORY_MODE;
  qos.data_sharing ().off ();
}

template <typename End>
End *
make_end (DdsParticipant *participant, const DdsEndOptions *options, GError **error)
{
  auto topic = participant->use_topic (options->topic, options->type, error);

  if (topic == nullptr)
    return nullptr;

  auto end = new End;
  end->participant = participant;
  end->topic = topic;
  end->events = options->events;
  end->data = options->data;
  return end;
}

template <typename End>
End *
check_end (End *end, const DdsEndOptions *options, GError **error)
{
  if (end == nullptr || end->own != nullptr)
    return end;
  end->participant->leave_topic (end->topic);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Fast DDS refuses an end of the topic %s",
               options->topic);
  delete end;
  return nullptr;
}

} // namespace

DdsWriter *
dds_writer_new (DdsParticipant *participant, const DdsEndOptions *options, GError **error)
{
  return guard<DdsWriter *> (nullptr, error, [=] () -> DdsWriter * {
    auto writer = make_end<DdsWriter> (participant, options, error);
    DataWriterQos qos;

    if (writer == nullptr)
      return nullptr;
    set_qos (qos, options);
    qos.publish_mode ().kind = SYNCHRONOUS_PUBLISH_MODE;
    fastdds::set_heartbeat (qos, Duration_t (0, HEARTBEAT_NS));
    writer->own = participant->publisher->create_datawriter (writer->topic, qos, writer);
    return check_end (writer, options, error);
  });
}

void
dds_writer_drain (DdsWriter *writer, gint64 limit)
{
  guard (FALSE, nullptr, [=] {
    writer->own->wait_for_acknowledgments (
        Duration_t (int32_t (limit / 1000), uint32_t (limit % 1000) * 1000000u));
    return TRUE;
  });
}

void
dds_writer_free (DdsWriter *writer)
{
  guard (FALSE, nullptr, [=] {
    writer->participant->publisher->delete_datawriter (writer->own);
    writer->participant->leave_topic (writer->topic);
    return TRUE;
  });
  delete writer;
}

void
dds_writer_get_guid (DdsWriter *writer, DdsGuid *guid)
{
  set_guid (guid, writer->own->guid ());
}

gboolean
dds_writer_write (DdsWriter *writer, const DdsPart *parts, guint n_parts,
                  const DdsIdentity *related, gint64 *number)
{
  return guard (FALSE, nullptr, [=] () -> gboolean {
    rtps::WriteParams params;
    Sample sample;

    sample.parts = parts;
    sample.n_parts = n_parts;
    if (related != nullptr) {
      params.related_sample_identity ().writer_guid (to_guid (related->guid));
      params.related_sample_identity ().sequence_number (
          rtps::SequenceNumber_t (int32_t (related->number >> 32), uint32_t (related->number)));
    }
    if (!fastdds::write (writer->own, &sample, params))
      return FALSE;
    if (number != nullptr)
      *number = to_number (params.sample_identity ().sequence_number ());
    return TRUE;
  });
}

DdsReader *
dds_reader_new (DdsParticipant *participant, const DdsEndOptions *options, GError **error)
{
  return guard<DdsReader *> (nullptr, error, [=] () -> DdsReader * {
    auto reader = make_end<DdsReader> (participant, options, error);
    DataReaderQos qos;

    if (reader == nullptr)
      return nullptr;
    set_qos (qos, options);
    reader->own = participant->subscriber->create_datareader (reader->topic, qos, reader);
    return check_end (reader, options, error);
  });
}

void
dds_reader_free (DdsReader *reader)
{
  guard (FALSE, nullptr, [=] {
    reader->participant->subscriber->delete_datareader (reader->own);
    reader->participant->leave_topic (reader->topic);
    return TRUE;
  });
  delete reader;
}

void
dds_reader_get_guid (DdsReader *reader, DdsGuid *guid)
{
  set_guid (guid, reader->own->guid ());
}

gboolean
dds_reader_take (DdsReader *reader, gsize max, DdsSampleInfo *info, GBytes **bytes)
{
  *bytes = nullptr;
  return guard (FALSE, nullptr, [=] () -> gboolean {
    Sample sample;
    SampleInfo about;

    sample.max = max;
    /* What is no data tells that a writer has gone. */
    do {
      g_clear_pointer (&sample.bytes, g_bytes_unref);
      if (!fastdds::take (reader->own, &sample, &about))
        return FALSE;
    } while (!about.valid_data);
    set_identity (&info->identity, about.sample_identity);
    set_identity (&info->related, about.related_sample_identity);
    *bytes = sample.bytes;
    return TRUE;
  });
}
