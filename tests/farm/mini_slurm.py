"""A Slurm of one node in a private folder, started and stopped by the test: no systemd, no root's configuration."""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "mungekey", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")

CONFIGURATION = """ClusterName=mini
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=%(user)s
SlurmdUser=%(user)s
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=%(root)s/munge.sock,cred_expire=5
SlurmctldPort=%(control_port)d
SlurmdPort=%(node_port)d
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=%(root)s/state
SlurmdSpoolDir=%(root)s/spool
SlurmctldPidFile=%(root)s/slurmctld.pid
SlurmdPidFile=%(root)s/slurmd.pid
SlurmctldLogFile=%(root)s/slurmctld.log
SlurmdLogFile=%(root)s/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_interval=5,sched_interval=5,batch_sched_delay=0
MinJobAge=3600
KillWait=5
ReturnToService=2
PropagateResourceLimits=NONE
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
NodeName=node1 NodeHostname=localhost NodeAddr=127.0.0.1 CPUs=%(cpus)d RealMemory=%(memory)d State=UNKNOWN
PartitionName=main Nodes=node1 Default=YES MaxTime=INFINITE State=UP
"""


def missing_programs():
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return [name for name in PROGRAMS if not shutil.which(name, path=path)]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def gone(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


class MiniSlurm:
    def __init__(self, root, cpus):
        self.root = pathlib.Path(root)
        self.environment = dict(os.environ, SLURM_CONF=str(self.root / "slurm.conf"),
                                PATH=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        for name in ("state", "spool"):
            (self.root / name).mkdir(parents=True)
        self.root.parent.chmod(0o755)  # munged wants to be reached by all
        (self.root / "munge").mkdir(mode=0o700)
        memory = re.search(r"RealMemory=(\d+)", self.ask("slurmd", "-C").stdout)
        (self.root / "slurm.conf").write_text(CONFIGURATION % {
            "root": self.root, "user": self.ask("id", "-un").stdout.strip(), "control_port": free_port(),
            "node_port": free_port(), "cpus": cpus, "memory": max(512, int(memory.group(1)) - 256) if memory else 1024})

    def ask(self, *words):
        return subprocess.run(words, capture_output=True, text=True, env=self.environment, timeout=30)

    def start(self):
        """Why it could not be started, or None."""
        key, sock = self.root / "munge/key", self.root / "munge.sock"
        commands = [["mungekey", "--create", f"--keyfile={key}"],
                    ["munged", f"--key-file={key}", f"--socket={sock}", f"--pid-file={self.root}/munged.pid",
                     f"--log-file={self.root}/munged.log", f"--seed-file={self.root}/munge/seed"],
                    ["slurmctld", "-f", self.root / "slurm.conf"], ["slurmd", "-f", self.root / "slurm.conf", "-N", "node1"]]
        for command in commands:
            result = self.ask(*map(str, command))
            if result.returncode:
                return f"{command[0]} did not start: {(result.stderr or result.stdout).strip()}"
        for _ in range(150):
            try:
                if self.ask("sinfo", "-h", "-N", "-n", "node1", "-o", "%T").stdout.strip() == "idle":
                    return None
            except subprocess.TimeoutExpired:
                pass
            time.sleep(0.2)
        return "the node did not become idle within 30 s"

    def stop(self):
        self.ask("scancel", "--user", self.ask("id", "-un").stdout.strip())
        for _ in range(100):
            if not self.ask("squeue", "-h").stdout.strip():
                break
            time.sleep(0.1)
        for name in ("slurmd", "slurmctld", "munged"):
            try:
                pid = int((self.root / f"{name}.pid").read_text())
                if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() != name:
                    continue
                os.kill(pid, 15)
            except (OSError, ValueError):
                continue
            for _ in range(100):
                if gone(pid):
                    break
                time.sleep(0.1)
