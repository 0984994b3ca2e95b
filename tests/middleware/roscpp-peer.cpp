/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A node of roscpp with the messages of Debian. It does what the lines of its input say, and writes
 * what it has seen, one line each:
 *
 *   odometry TOPIC       then `at TOPIC FRAME CHILD X Y VX` for each nav_msgs/Odometry
 *   scan TOPIC           then `seen TOPIC FRAME RANGES LEAST RANGE_MAX` for each
 * sensor_msgs/LaserScan twist TOPIC V W      publishes a geometry_msgs/Twist, latched trigger
 * SERVICE      calls a std_srvs/Trigger, then `answer SERVICE SUCCESS MESSAGE` serve SERVICE offers
 * a std_srvs/SetBool whose message is `on` or `off`
 *
 * Each line is followed by its first word and `ok` or what is wrong. The master is that of
 * ROS_MASTER_URI.
 */
#include <algorithm>
#include <cstdio>
#include <geometry_msgs/Twist.h>
#include <iostream>
#include <map>
#include <nav_msgs/Odometry.h>
#include <ros/ros.h>
#include <sensor_msgs/LaserScan.h>
#include <sstream>
#include <std_srvs/SetBool.h>
#include <std_srvs/Trigger.h>
#include <vector>

namespace {

class Peer {
public:
  Peer () : spinner (1)
  {
    spinner.start ();
  }

  std::string obey (const std::string &verb, const std::string &name, std::istream &rest)
  {
    if (verb == "odometry")
      watch_odometry (name);
    else if (verb == "scan")
      watch_scan (name);
    else if (verb == "twist")
      publish (name, rest);
    else if (verb == "trigger")
      return call (name) ? "ok" : "there is no answer";
    else if (verb == "serve")
      servers.push_back (node.advertiseService (name, &Peer::answer, this));
    else
      return "what is that?";
    return "ok";
  }

private:
  void watch_odometry (const std::string &name)
  {
    subscribers.push_back (node.subscribe<nav_msgs::Odometry> (
        name, 100, [name] (const nav_msgs::Odometry::ConstPtr &got) {
          printf ("at %s %s %s %.6f %.6f %.6f\n", name.c_str (), got->header.frame_id.c_str (),
                  got->child_frame_id.c_str (), got->pose.pose.position.x,
                  got->pose.pose.position.y, got->twist.twist.linear.x);
        }));
  }

  void watch_scan (const std::string &name)
  {
    subscribers.push_back (node.subscribe<sensor_msgs::LaserScan> (
        name, 100, [name] (const sensor_msgs::LaserScan::ConstPtr &got) {
          auto least = std::min_element (got->ranges.begin (), got->ranges.end ());

          printf ("seen %s %s %zu %.6f %.6f\n", name.c_str (), got->header.frame_id.c_str (),
                  got->ranges.size (), least == got->ranges.end () ? -1.0 : double (*least),
                  double (got->range_max));
        }));
  }

  void publish (const std::string &name, std::istream &rest)
  {
    geometry_msgs::Twist message;

    rest >> message.linear.x >> message.angular.z;
    if (publishers.count (name) == 0)
      publishers[name] = node.advertise<geometry_msgs::Twist> (name, 1, true);
    publishers[name].publish (message);
  }

  bool call (const std::string &name)
  {
    std_srvs::Trigger called;

    if (!ros::service::waitForService (name, ros::Duration (30)) ||
        !ros::service::call (name, called))
      return false;
    printf ("answer %s %d %s\n", name.c_str (), called.response.success,
            called.response.message.c_str ());
    return true;
  }

  bool answer (std_srvs::SetBool::Request &request, std_srvs::SetBool::Response &response)
  {
    response.success = true;
    response.message = request.data ? "on" : "off";
    return true;
  }

  ros::NodeHandle node;
  ros::AsyncSpinner spinner;
  std::vector<ros::Subscriber> subscribers;
  std::map<std::string, ros::Publisher> publishers;
  std::vector<ros::ServiceServer> servers;
};

} // namespace

int
main (int argc, char **argv)
{
  setvbuf (stdout, nullptr, _IOLBF, 0);
  ros::init (argc, argv, "roscpp_peer",
             ros::init_options::AnonymousName | ros::init_options::NoSigintHandler |
                 ros::init_options::NoRosout);
  Peer peer;

  for (std::string line; std::getline (std::cin, line);) {
    std::istringstream words (line);
    std::string verb, name;

    words >> verb >> name;
    printf ("%s %s\n", verb.c_str (), peer.obey (verb, name, words).c_str ());
  }
  return 0;
}
