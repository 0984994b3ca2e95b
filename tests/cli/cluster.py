# SPDX-License-Identifier: BSD-3-Clause
"""Schedulers for a test, in namespaces of their own: no port, host name or process of theirs is seen outside, and the end
of the test ends them."""

import os
import shutil
import subprocess
import sys
import time

INSIDE = "ORRERY_TEST_NAMESPACES"
# One that is documentation's: programs that look for a name want an address that is not the loopback's.
ADDRESS = "192.0.2.1"
PATIENCE = 60

SLURM_CONF = """ClusterName=test
SlurmctldHost=localhost
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={0}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
StateSaveLocation={0}/state
SlurmdSpoolDir={0}/spool
SlurmctldPidFile={0}/slurmctld.pid
SlurmdPidFile={0}/slurmd.pid
SlurmctldLogFile={0}/slurmctld.log
SlurmdLogFile={0}/slurmd.log
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
KillWait=2
MessageTimeout=5
NodeName=localhost CPUs=2 State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


def enter():
    """Runs this program again, in namespaces. Why that is not possible, or None when it is there."""
    if os.environ.get(INSIDE) == "1":
        subprocess.run("hostname localhost && ip link set lo up && ip address add %s/32 dev lo" % ADDRESS, shell=True,
                       check=True)
        return None
    command = ["unshare", "-n", "-m", "-u", "-p", "--fork", "--kill-child", "--mount-proc"]
    if not shutil.which("unshare") or subprocess.run(command + ["true"], capture_output=True).returncode != 0:
        return "no namespaces here, as for others than root"
    if not shutil.which("ip"):
        return "no ip; Debian has it in iproute2"
    os.execvpe(command[0], command + [sys.executable] + sys.argv, dict(os.environ, **{INSIDE: "1"}))


def lacks(*programs):
    missing = [program for program in programs if not shutil.which(program)]
    return "no " + ", ".join(missing) if missing else None


class Daemons:
    """Programs with a log, ended one by one."""

    def __init__(self, directory, environment):
        self.directory = directory
        self.environment = environment
        self.running = {}

    def start(self, name, *command):
        with open(os.path.join(self.directory, name + ".out"), "ab") as log:
            self.running[name] = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                                  env=self.environment, cwd=self.directory)

    def kill(self, name):
        process = self.running.pop(name)
        process.kill()
        process.wait()

    def end(self):
        for name in list(self.running):
            self.kill(name)

    def until(self, what):
        """Asks until it is so."""
        end = time.monotonic() + PATIENCE
        while not what():
            if time.monotonic() > end:
                logs = []
                for name in self.running:
                    with open(os.path.join(self.directory, name + ".out"), encoding="utf-8", errors="replace") as log:
                        logs.append("%s: %s" % (name, log.read()[-2000:]))
                raise TimeoutError("\n".join(logs))


class Slurm(Daemons):
    """One controller and one node with two processors."""

    def __init__(self, directory, environment):
        super().__init__(directory, dict(environment, SLURM_CONF=os.path.join(directory, "slurm.conf")))
        for name in "state", "spool":
            os.makedirs(os.path.join(directory, name))
        with open(os.path.join(directory, "slurm.conf"), "w", encoding="utf-8") as file:
            file.write(SLURM_CONF.format(directory))
        key = os.path.join(directory, "munge.key")
        with open(key, "wb") as file:
            file.write(os.urandom(128))
        os.chmod(key, 0o400)
        self.start("munged", "munged", "--foreground", "--force", "--key-file=" + key,
                   *("--%s=%s/munge.%s" % (option, directory, end) for option, end in
                     (("socket", "socket"), ("pid-file", "pid"), ("seed-file", "seed"), ("log-file", "log"))))
        self.until(lambda: os.path.exists(os.path.join(directory, "munge.socket")))
        self.start_controller()
        self.start("slurmd", "slurmd", "-D", "-N", "localhost")
        self.until(lambda: self.ask("sinfo", "-h", "-o", "%T") == "idle")

    def start_controller(self):
        self.start("slurmctld", "slurmctld", "-D")

    def ask(self, *command):
        return subprocess.run(command, capture_output=True, text=True, env=self.environment).stdout.strip()
