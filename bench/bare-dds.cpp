/* SPDX-License-Identifier: BSD-3-Clause */
/* `bare-dds write|read DOMAIN`: a program that writes or reads bytes with Fast DDS and does nothing
 * else, with the qualities of service and the transport that nodes of ROS 2 have here. */
#include "bare-peer.h"

#include <cstring>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>
#include <memory>

using namespace eprosima::fastdds::dds;
using eprosima::fastdds::rtps::UDPv4TransportDescriptor;
using eprosima::fastrtps::Duration_t;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::IPLocator;
using eprosima::fastrtps::rtps::Locator_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;
using eprosima::fastrtps::types::ReturnCode_t;
using Bytes = std::vector<uint8_t>;

namespace {

class BytesType : public TopicDataType {
public:
  explicit BytesType (const std::string &name)
  {
    setName (name.c_str ());
    m_typeSize = 4;
    auto_fill_type_object (false);
    auto_fill_type_information (false);
  }

  bool serialize (void *data, SerializedPayload_t *payload) override
  {
    auto bytes = static_cast<const Bytes *> (data);

    memcpy (payload->data, bytes->data (), bytes->size ());
    payload->length = uint32_t (bytes->size ());
    return true;
  }

  bool deserialize (SerializedPayload_t *payload, void *data) override
  {
    static_cast<Bytes *> (data)->assign (payload->data, payload->data + payload->length);
    return true;
  }

  std::function<uint32_t ()> getSerializedSizeProvider (void *data) override
  {
    return [data] { return uint32_t (static_cast<Bytes *> (data)->size ()); };
  }

  void *createData () override
  {
    return new Bytes;
  }

  void deleteData (void *data) override
  {
    delete static_cast<Bytes *> (data);
  }

  bool getKey (void *, InstanceHandle_t *, bool) override
  {
    return false;
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
  qos.endpoint ().history_memory_policy = eprosima::fastrtps::rtps::DYNAMIC_REUSABLE_MEMORY_MODE;
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
      qos.reliable_writer_qos ().times.heartbeatPeriod = Duration_t (0, 200 * 1000 * 1000);
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
    for (size_t i = 0; i < writers.size (); i++)
      writers[i]->write (&messages[i]);
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

    while (reader->take_next_sample (&bytes, &info) == ReturnCode_t::RETCODE_OK)
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
