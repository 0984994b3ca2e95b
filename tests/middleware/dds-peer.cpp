/* SPDX-License-Identifier: BSD-3-Clause */
/* Does over Fast DDS what ROS 2's default middleware does, as the lines on its standard input say,
 * and prints one line for each thing that happens. With the node that it tests it shares only the
 * names of Fast DDS. */
#include "../../middleware/dds/fast-dds.h"

#include <atomic>
#include <chrono>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

using namespace eprosima::fastdds::dds;
using fastdds::Duration_t;
using fastdds::UDPv4TransportDescriptor;
using fastdds::rtps::GUID_t;
using fastdds::rtps::IPLocator;
using fastdds::rtps::Locator_t;
using fastdds::rtps::SerializedPayload_t;
using fastdds::rtps::WriteParams;
using Bytes = std::vector<uint8_t>;

namespace {

const size_t MAX_SHOWN = 100000;

std::mutex out;

void
say (const std::string &line)
{
  std::lock_guard<std::mutex> guard (out);
  std::cout << line << std::endl;
}

std::string
to_hex (const Bytes &bytes)
{
  const char digits[] = "0123456789abcdef";
  std::string text;

  for (size_t i = 0; i < bytes.size () && i < MAX_SHOWN; i++) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

Bytes
from_hex (const std::string &text)
{
  Bytes bytes;

  for (size_t i = 0; i + 1 < text.size (); i += 2)
    bytes.push_back (uint8_t (std::stoi (text.substr (i, 2), nullptr, 16)));
  return bytes;
}

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

    std::copy (bytes->begin (), bytes->end (), payload.data);
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

struct Ends;

struct WriterListener : public DataWriterListener {
  std::string name;

  void on_publication_matched (DataWriter *, const PublicationMatchedStatus &status) override
  {
    say ("readers " + name + " " + std::to_string (status.current_count));
  }
};

struct ReaderListener : public DataReaderListener {
  std::string name;
  GUID_t own; /* (perhaps unknown): answers to others are not told */
  std::atomic<int> n_writers{ 0 };

  void on_subscription_matched (DataReader *, const SubscriptionMatchedStatus &status) override
  {
    n_writers = status.current_count;
    say ("writers " + name + " " + std::to_string (status.current_count));
  }

  void on_data_available (DataReader *reader) override
  {
    SampleInfo info;
    Bytes bytes;

    while (fastdds::take (reader, &bytes, &info)) {
      if (!info.valid_data)
        continue;
      auto related = info.related_sample_identity;
      std::ostringstream text;
      if (own != GUID_t::unknown () && related.writer_guid () != own)
        continue;
      text << (own != GUID_t::unknown () ? "response " : "message ") << name << " "
           << (own != GUID_t::unknown () ? related.sequence_number ()
                                         : info.sample_identity.sequence_number ())
           << " " << bytes.size () << " " << to_hex (bytes);
      say (text.str ());
    }
  }
};

struct Ends {
  DataWriter *writer = nullptr;
  DataReader *reader = nullptr;
  WriterListener writer_listener;
  ReaderListener reader_listener;
  std::shared_ptr<DataReaderListener> answers; /* (perhaps none): of a service */
};

/* What others say of their writers. */
struct Finder : public DomainParticipantListener {
#if FAST_DDS_MAJOR >= 3
  void on_data_writer_discovery (DomainParticipant *, fastdds::rtps::WriterDiscoveryStatus status,
                                 const PublicationBuiltinTopicData &info, bool &) override
  {
    if (status == fastdds::rtps::WriterDiscoveryStatus::DISCOVERED_WRITER)
      tell (info.topic_name.c_str (), info.type_name.c_str (), info.user_data);
  }
#else
  void on_publisher_discovery (DomainParticipant *,
                               fastdds::rtps::WriterDiscoveryInfo &&found) override
  {
    if (found.status == found.DISCOVERED_WRITER)
      tell (found.info.topicName ().c_str (), found.info.typeName ().c_str (),
            found.info.m_qos.m_userData);
  }
#endif

private:
  static void tell (const std::string &topic, const std::string &type,
                    const UserDataQosPolicy &data)
  {
    say ("found " + topic + " " + type + " " + std::string (data.begin (), data.end ()));
  }
};

Finder finder;
DomainParticipant *participant;
Publisher *publisher;
Subscriber *subscriber;
std::list<std::unique_ptr<Ends> > kept; /* also those whose name another one has taken */
std::map<std::string, Ends *> ends;

/* @poses: its name is one that Cyclone DDS would have. */
DomainParticipant *
make_participant (uint32_t domain, bool poses)
{
  DomainParticipantQos qos;
  auto udp = std::make_shared<UDPv4TransportDescriptor> ();
  auto &builtin = qos.wire_protocol ().builtin;
  Locator_t locator;

  udp->interfaceWhiteList.push_back ("127.0.0.1");
  qos.transport ().use_builtin_transports = false;
  qos.transport ().user_transports.push_back (udp);
  IPLocator::setIPv4 (locator, "127.0.0.1");
  builtin.initialPeersList.push_back (locator);
  builtin.metatrafficUnicastLocatorList.push_back (locator);
  builtin.discovery_config.leaseDuration = Duration_t (2, 0);
  builtin.discovery_config.leaseDuration_announcementperiod = Duration_t (0, 500000000);
  if (poses)
    qos.wire_protocol ().prefix.value[0] = 1, qos.wire_protocol ().prefix.value[1] = 0x10;
  return DomainParticipantFactory::get_instance ()->create_participant (domain, qos, &finder,
                                                                        StatusMask::none ());
}

Topic *
get_topic (const std::string &name, const std::string &type)
{
  auto known = participant->lookup_topicdescription (name);

  participant->register_type (TypeSupport (new BytesType (type)));
  return known != nullptr ? static_cast<Topic *> (known)
                          : participant->create_topic (name, type, TOPIC_QOS_DEFAULT);
}

/* Letters of a quality: b best effort, l transient local, h keeps all but has room for few. */
template <typename Qos>
void
set_quality (Qos &qos, const std::string &quality, int depth)
{
  auto has = [&] (char letter) { return quality.find (letter) != std::string::npos; };

  qos.reliability ().kind = has ('b') ? BEST_EFFORT_RELIABILITY_QOS : RELIABLE_RELIABILITY_QOS;
  qos.durability ().kind = has ('l') ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
  qos.history ().depth = depth;
  qos.endpoint ().history_memory_policy = fastdds::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  qos.data_sharing ().off ();
}

void
add_writer (Ends *end, const std::string &topic, const std::string &type,
            const std::string &quality)
{
  DataWriterQos qos;

  set_quality (qos, quality, 100);
  end->writer = publisher->create_datawriter (get_topic (topic, type), qos, &end->writer_listener);
}

void
add_reader (Ends *end, const std::string &topic, const std::string &type,
            const std::string &quality)
{
  DataReaderQos qos;

  set_quality (qos, quality, 100);
  end->reader = subscriber->create_datareader (get_topic (topic, type), qos, &end->reader_listener);
}

Ends *
make_ends (const std::string &name)
{
  kept.push_back (std::make_unique<Ends> ());
  auto end = kept.back ().get ();

  end->writer_listener.name = end->reader_listener.name = name;
  ends[name] = end;
  return end;
}

void
drop (const std::string &name)
{
  auto end = ends.at (name);

  if (end->writer != nullptr)
    publisher->delete_datawriter (end->writer);
  if (end->reader != nullptr)
    subscriber->delete_datareader (end->reader);
  ends.erase (name);
  kept.remove_if ([end] (const std::unique_ptr<Ends> &one) { return one.get () == end; });
}

/* The reader of the answers goes with the request, as related identity. */
void
call (Ends *end, const std::string &hex)
{
  WriteParams params;
  auto bytes = from_hex (hex);

  params.related_sample_identity ().writer_guid (end->reader->guid ());
  fastdds::write (end->writer, &bytes, params);
}

/* Answers each request with the same bytes. */
void
answer (Ends *end)
{
  SampleInfo info;
  Bytes bytes;

  while (fastdds::take (end->reader, &bytes, &info)) {
    WriteParams params;
    auto &identity = params.related_sample_identity ();

    if (!info.valid_data)
      continue;
    identity = info.sample_identity;
    if (info.related_sample_identity.writer_guid () != GUID_t::unknown ())
      identity.writer_guid (info.related_sample_identity.writer_guid ());
    fastdds::write (end->writer, &bytes, params);
    say ("answered " + std::to_string (bytes.size ()));
  }
}

struct AnswerListener : public ReaderListener {
  Ends *end = nullptr;

  void on_data_available (DataReader *) override
  {
    answer (end);
  }
};

/* Readers that go as soon as they are known. */
void
churn (const std::string &topic, const std::string &type, int times)
{
  for (int i = 0; i < times; i++) {
    auto end = make_ends ("brief");

    add_reader (end, topic, type, "r");
    while (end->reader_listener.n_writers == 0)
      std::this_thread::sleep_for (std::chrono::microseconds (100));
    drop ("brief");
  }
  say ("churn ok");
}

void
serve (const std::string &service, const std::string &type)
{
  auto end = make_ends (service);
  auto listener = std::make_shared<AnswerListener> ();

  end->answers = listener;
  listener->end = end;
  listener->name = service;
  add_writer (end, "rr" + service + "Reply", type + "_Response_", "r");
  add_reader (end, "rq" + service + "Request", type + "_Request_", "r");
  end->reader->set_listener (listener.get ());
}

void
run_line (const std::string &line)
{
  std::istringstream words (line);
  std::string verb, name, type, quality;

  words >> verb >> name;
  if (verb == "reader" && words >> type >> quality) {
    add_reader (make_ends (name), name, type, quality);
    say ("reader ok");
  } else if (verb == "writer" && words >> type >> quality) {
    add_writer (make_ends (name), name, type, quality);
    say ("writer ok");
  } else if (verb == "write" && words >> type) {
    auto bytes = from_hex (type);
    WriteParams params;
    say (fastdds::write (ends.at (name)->writer, &bytes, params) ? "write ok" : "write failed");
  } else if (verb == "drop") {
    drop (name);
    say ("drop ok");
  } else if (verb == "client" && words >> type) {
    auto end = make_ends (name);
    add_reader (end, "rr" + name + "Reply", type + "_Response_", "r");
    end->reader_listener.own = end->reader->guid ();
    add_writer (end, "rq" + name + "Request", type + "_Request_", "r");
    say ("client ok");
  } else if (verb == "call" && words >> type) {
    call (ends.at (name), type);
    say ("call ok");
  } else if (verb == "serve" && words >> type) {
    serve (name, type);
    say ("serve ok");
  } else if (verb == "churn" && words >> type >> quality) {
    churn (name, type, std::stoi (quality));
  } else {
    say ("unknown command");
  }
}

} // namespace

int
main (int argc, char **argv)
{
  std::string line;

  Log::ClearConsumers ();
  participant = make_participant (argc > 1 ? uint32_t (atoi (argv[1])) : 0, argc > 2);
  if (participant == nullptr) {
    say ("error no participant");
    return 1;
  }
  publisher = participant->create_publisher (PUBLISHER_QOS_DEFAULT);
  subscriber = participant->create_subscriber (SUBSCRIBER_QOS_DEFAULT);
  say ("peer ready");
  while (std::getline (std::cin, line))
    run_line (line);
  participant->delete_contained_entities ();
  DomainParticipantFactory::get_instance ()->delete_participant (participant);
  kept.clear ();
  say ("stopped");
  return 0;
}
