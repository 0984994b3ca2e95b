/* SPDX-License-Identifier: BSD-3-Clause */
/* Fast DDS, version 2 or 3, under the names that are used here, and what the versions do in other
 * ways. */
#pragma once

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/log/Log.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#if __has_include(<fastdds/utils/IPLocator.hpp>)
#define FAST_DDS_MAJOR 3
#include <fastdds/rtps/common/WriteParams.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.hpp>
#include <fastdds/utils/IPLocator.hpp>
#else
#define FAST_DDS_MAJOR 2
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>
#endif

#include <functional>
#include <string>

namespace fastdds {

#if FAST_DDS_MAJOR >= 3
namespace rtps = eprosima::fastdds::rtps;
using eprosima::fastdds::dds::Duration_t;
using rtps::DiscoveryProtocol;
#else
namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastrtps::Duration_t;
using DiscoveryProtocol = rtps::DiscoveryProtocol_t;
#endif
using eprosima::fastdds::rtps::UDPv4TransportDescriptor;

/* A type without a key whose samples are bytes on the wire already. Both versions ask the same of a
 * type, by functions with other names. */
class RawType : public eprosima::fastdds::dds::TopicDataType {
public:
  /* Of the bytes on the wire, which pack () writes. */
  virtual uint32_t get_length (const void *sample) const = 0;
  virtual bool pack (const void *sample, rtps::SerializedPayload_t &payload) = 0;
  virtual bool unpack (const rtps::SerializedPayload_t &payload, void *sample) = 0;
  virtual void *create () = 0;
  virtual void destroy (void *sample) = 0;

#if FAST_DDS_MAJOR >= 3
  explicit RawType (const std::string &name)
  {
    set_name (name);
    max_serialized_type_size = 4;
  }

  bool serialize (const void *const sample, rtps::SerializedPayload_t &payload,
                  eprosima::fastdds::dds::DataRepresentationId_t) override
  {
    return pack (sample, payload);
  }

  bool deserialize (rtps::SerializedPayload_t &payload, void *sample) override
  {
    return unpack (payload, sample);
  }

  uint32_t calculate_serialized_size (const void *const sample,
                                      eprosima::fastdds::dds::DataRepresentationId_t) override
  {
    return get_length (sample);
  }

  void *create_data () override
  {
    return create ();
  }

  void delete_data (void *sample) override
  {
    destroy (sample);
  }

  bool compute_key (rtps::SerializedPayload_t &, rtps::InstanceHandle_t &, bool) override
  {
    return false;
  }

  bool compute_key (const void *const, rtps::InstanceHandle_t &, bool) override
  {
    return false;
  }
#else
  explicit RawType (const std::string &name)
  {
    setName (name.c_str ());
    m_typeSize = 4;
    m_isGetKeyDefined = false;
    auto_fill_type_object (false);
    auto_fill_type_information (false);
  }

  bool serialize (void *sample, rtps::SerializedPayload_t *payload) override
  {
    return pack (sample, *payload);
  }

  bool deserialize (rtps::SerializedPayload_t *payload, void *sample) override
  {
    return unpack (*payload, sample);
  }

  std::function<uint32_t ()> getSerializedSizeProvider (void *sample) override
  {
    return [this, sample] { return get_length (sample); };
  }

  void *createData () override
  {
    return create ();
  }

  void deleteData (void *sample) override
  {
    destroy (sample);
  }

  bool getKey (void *, rtps::InstanceHandle_t *, bool) override
  {
    return false;
  }
#endif
};

/* @params: what is known of the sample, and becomes known of it. */
inline bool
write (eprosima::fastdds::dds::DataWriter *writer, void *sample, rtps::WriteParams &params)
{
#if FAST_DDS_MAJOR >= 3
  return writer->write (sample, params) == eprosima::fastdds::dds::RETCODE_OK;
#else
  return writer->write (sample, params);
#endif
}

/* Whether there was a sample. */
inline bool
take (eprosima::fastdds::dds::DataReader *reader, void *sample,
      eprosima::fastdds::dds::SampleInfo *info)
{
#if FAST_DDS_MAJOR >= 3
  return reader->take_next_sample (sample, info) == eprosima::fastdds::dds::RETCODE_OK;
#else
  return reader->take_next_sample (sample, info) ==
         eprosima::fastrtps::types::ReturnCode_t::RETCODE_OK;
#endif
}

/* How often a writer asks readers what they have. */
inline void
set_heartbeat (eprosima::fastdds::dds::DataWriterQos &qos, const Duration_t &period)
{
#if FAST_DDS_MAJOR >= 3
  qos.reliable_writer_qos ().times.heartbeat_period = period;
#else
  qos.reliable_writer_qos ().times.heartbeatPeriod = period;
#endif
}

} // namespace fastdds
