/* SPDX-License-Identifier: BSD-3-Clause */
/* `bare-roscpp write|read`: a program that publishes or subscribes with roscpp and does nothing
 * else. The master is that of ROS_MASTER_URI. */
#include "bare-peer.h"

#include <cstring>
#include <ros/ros.h>

namespace {

/* Messages as bytes: nav_msgs/Odometry that was serialised before, or any type that comes. */
struct Message {
  std::vector<uint8_t> bytes;
};

struct Any : public Message {};

} // namespace

namespace ros {
namespace message_traits {

template <> struct MD5Sum<Message> {
  static const char *value ()
  {
    return "cd5e73d190d741a2f92e81eda573aca7";
  }
  static const char *value (const Message &)
  {
    return value ();
  }
};

template <> struct DataType<Message> {
  static const char *value ()
  {
    return "nav_msgs/Odometry";
  }
  static const char *value (const Message &)
  {
    return value ();
  }
};

template <> struct Definition<Message> {
  static const char *value ()
  {
    return "";
  }
  static const char *value (const Message &)
  {
    return value ();
  }
};

template <> struct MD5Sum<Any> {
  static const char *value ()
  {
    return "*";
  }
  static const char *value (const Any &)
  {
    return value ();
  }
};

template <> struct DataType<Any> {
  static const char *value ()
  {
    return "*";
  }
  static const char *value (const Any &)
  {
    return value ();
  }
};

template <> struct Definition<Any> {
  static const char *value ()
  {
    return "";
  }
  static const char *value (const Any &)
  {
    return value ();
  }
};

} // namespace message_traits

namespace serialization {

template <> struct Serializer<Message> {
  template <typename Stream> static void write (Stream &stream, const Message &message)
  {
    memcpy (stream.advance (uint32_t (message.bytes.size ())), message.bytes.data (),
            message.bytes.size ());
  }

  static uint32_t serializedLength (const Message &message)
  {
    return uint32_t (message.bytes.size ());
  }
};

template <> struct Serializer<Any> {
  template <typename Stream> static void read (Stream &stream, Any &message)
  {
    uint32_t length = stream.getLength ();
    auto bytes = stream.advance (length);

    message.bytes.assign (bytes, bytes + length);
  }
};

} // namespace serialization
} // namespace ros

namespace {

class Peer : public BarePeer {
public:
  explicit Peer (bool reads) : reads (reads), spinner (1)
  {
    spinner.start ();
  }

  void open (const std::string &name, const std::string &, size_t length) override
  {
    if (reads) {
      subscribers.push_back (node.subscribe<Any> (
          name, 100,
          [this] (const boost::shared_ptr<const Any> &got) { note (got->bytes.size ()); },
          ros::VoidConstPtr (), ros::TransportHints ().tcpNoDelay ()));
      return;
    }
    publishers.push_back (node.advertise<Message> (name, 100));
    messages.push_back ({ std::vector<uint8_t> (length) });
  }

  bool is_matched () override
  {
    for (auto &publisher : publishers)
      if (publisher.getNumSubscribers () == 0)
        return false;
    for (auto &subscriber : subscribers)
      if (subscriber.getNumPublishers () == 0)
        return false;
    return true;
  }

  void write () override
  {
    for (size_t i = 0; i < publishers.size (); i++)
      publishers[i].publish (messages[i]);
  }

private:
  bool reads;
  ros::NodeHandle node;
  ros::AsyncSpinner spinner;
  std::vector<ros::Subscriber> subscribers;
  std::vector<ros::Publisher> publishers;
  std::vector<Message> messages;
};

} // namespace

int
main (int argc, char **argv)
{
  if (argc != 2)
    return EXIT_FAILURE;
  ros::init (argc, argv, std::string ("bare_") + argv[1],
             ros::init_options::AnonymousName | ros::init_options::NoSigintHandler |
                 ros::init_options::NoRosout);
  return Peer (strcmp (argv[1], "read") == 0).serve ();
}
