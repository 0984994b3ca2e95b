/* SPDX-License-Identifier: BSD-3-Clause */
/* `bare-dds write|read DOMAIN`: a program that writes or reads bytes with Fast DDS and does nothing
 * else, with the qualities of service and the transport that nodes of ROS 2 have here. */
#include "../middleware/dds/fast-dds.h"
#include "bare-peer.h"

#include <cstring>
#include <memory>

using namespace eprosima::fastdds::dds;
using fastdds::Duration_t;
using fastdds::UDPv4TransportDescriptor;
using fastdds::rtps::IPLocator;
using fastdds::rtps::Locator_t;
using fastdds::rtps::SerializedPayload_t;
using Bytes = std::vector<uint8_t>;

namespace {

class BytesType : public fastdds::RawType {
public:
  using RawType::RawType;

  uint32_t get_length (const void *data) const override
  {
    return uint32_t (static_cast<const Bytes *> (data)->size ());
  }

  bool pack (const void *data, SerializedPayload_t &payload) override
  {
    auto bytes = static_cast<const Bytes *> (data);

    memcpy (payload.data, bytes->data (), bytes->size ());
    payload.length = uint32_t (bytes->size ());
    return true;
  }

  bool unpack (const SerializedPayload_t &payload, void *data) override
  {
    static_cast<Bytes *> (data)->assign (payload.data, payload.data + payload.length);
    return true;
  }

  void *create () override
  {
    return new Bytes;
  }

  void destroy (void *data) override
  {
    delete static_cast<Bytes *> (data);
  }
};

template <typename Qos>
void
set_qos (Qos &qos)
{
  qos.reliability ().kind = RELIABLE_RELIABILITY_QOS;
  qos.reliability ().max_blocking_time = Duration_t (0, 100 * 1000 * 1000);
  qos.durability ().kind = VOLATILE_DURABILITY_QOS;
  qos.history ().kind = KEEP_LAST_HISTORY_QOS;
  qos.history ().depth = 10;
  qos.endpoint ().history_memory_policy = fastdds::rtps::DYNAMIC_REUSABLE_MEMORY_MODE;
  qos.data_sharing ().off ();
}

class Peer : public BarePeer, public DataReaderListener, public DataWriterListener {
public:
  Peer (bool reads, uint32_t domain)
  {
    auto udp = std::make_shared<UDPv4TransportDescriptor> ();
    DomainParticipantQos qos;
    Locator_t loopback;

    udp->interfaceWhiteList.push_back ("127.0.0.1");
    udp->maxInitialPeersRange = 32;
    qos.transport ().use_builtin_transports = false;
    qos.transport ().user_transports.push_back (udp);
    IPLocator::setIPv4 (loopback, "127.0.0.1");
    qos.wire_protocol ().builtin.discovery_config.leaseDuration = Duration_t (10, 0);
    qos.wire_protocol ().builtin.discovery_config.leaseDuration_announcementperiod =
        Duration_t (1, 0);
    qos.wire_protocol ().builtin.initialPeersList.push_back (loopback);
    qos.wire_protocol ().builtin.metatrafficUnicastLocatorList.push_back (loopback);
    participant = DomainParticipantFactory::get_instance ()->create_participant (domain, qos);
    if (participant == nullptr)
      std::exit (EXIT_FAILURE);
    if (reads)
      subscriber = participant->create_subscriber (SUBSCRIBER_QOS_DEFAULT);
    else
      publisher = participant->create_publisher (PUBLISHER_QOS_DEFAULT);
  }

  void open (const std::string &name, const std::string &type, size_t length) override
  {
    if (participant->find_type (type).empty ())
      participant->register_type (TypeSupport (new BytesType (type)));

    auto topic = participant->create_topic (name, type, TOPIC_QOS_DEFAULT);
    if (subscriber != nullptr) {
      DataReaderQos qos;

      set_qos (qos);
      subscriber->create_datareader (topic, qos, this);
    } else {
      DataWriterQos qos;

      set_qos (qos);
      qos.publish_mode ().kind = SYNCHRONOUS_PUBLISH_MODE;
      fastdds::set_heartbeat (qos, Duration_t (0, 200 * 1000 * 1000));
      writers.push_back (publisher->create_datawriter (topic, qos, this));
      messages.emplace_back (length);
      /* Little endian. */
      messages.back ()[1] = 1;
    }
    n_ends++;
  }

  bool is_matched () override
  {
    return n_matched >= n_ends;
  }

  void write () override
  {
    for (size_t i = 0; i < writers.size (); i++) {
      fastdds::rtps::WriteParams params;

      fastdds::write (writers[i], &messages[i], params);
    }
  }

  void on_publication_matched (DataWriter *, const PublicationMatchedStatus &status) override
  {
    n_matched += status.current_count_change;
  }

  void on_subscription_matched (DataReader *, const SubscriptionMatchedStatus &status) override
  {
    n_matched += status.current_count_change;
  }

  void on_data_available (DataReader *reader) override
  {
    SampleInfo info;
    Bytes bytes;

    while (fastdds::take (reader, &bytes, &info))
      if (info.valid_data)
        note (bytes.size ());
  }

private:
  DomainParticipant *participant = nullptr;
  Publisher *publisher = nullptr;
  Subscriber *subscriber = nullptr;
  std::vector<DataWriter *> writers;
  std::vector<Bytes> messages;
  std::atomic<int> n_matched{ 0 };
  int n_ends = 0;
};

} // namespace

int
main (int argc, char **argv)
{
  if (argc != 3)
    return EXIT_FAILURE;
  return Peer (strcmp (argv[1], "read") == 0, uint32_t (atoi (argv[2]))).serve ();
}
