"""Who this process is: its files' names, its command line, its rank, its role."""

import json
import os
import sys
import time

from _torchleak import guard

TRAINER, WORKER, LAUNCHER, UNKNOWN = "trainer", "worker", "launcher", "unknown"

_LAUNCHERS = (
    "torchrun", "torch.distributed.run", "torch.distributed.launch",
    "accelerate.commands.launch", "accelerate.commands.accelerate_cli", "deepspeed",
    "deepspeed.launcher.launch", "deepspeed.launcher.runner",
)

# Where a scheduler says which rank this is: rank, number of ranks, rank on this machine.
_RANKS = (
    ("RANK", "WORLD_SIZE", "LOCAL_RANK"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
    ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"),
)


class Identity:
    """This process, from the moment the probe woke in it or it was forked."""

    def __init__(self, run_dir):
        self.run_dir = run_dir
        self.pid = os.getpid()
        self.start = time.time_ns()
        self.cwd = _cwd()
        self.argv = command_line()
        self.role = role_of(self.argv)
        self.dataset = None  # of a loader worker: what dataset.describe() says

    @property
    def stem(self):
        """What the names of all files of this process begin with."""
        return os.path.join(self.run_dir, "%d-%d" % (self.pid, self.start))

    def write_json(self, suffix, value):
        """Writes <stem>.<suffix> whole: under another name first, then renamed."""
        path = "%s.%s" % (self.stem, suffix)
        partial = path + ".part"
        data = json.dumps(value, default=str).encode("utf-8", "backslashreplace")
        fd = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(fd, "wb") as file:
                file.write(data)
            os.replace(partial, path)
        except OSError:
            try:
                os.unlink(partial)
            except FileNotFoundError:
                pass  # renamed already: what is raised here came from a signal's handler
            raise

    def mute(self, number):
        """Leaves word of the error that keeps this process from saying anything. A file without content, made
        like this, needs neither room for data nor a descriptor."""
        try:
            os.mknod("%s.mute-%d" % (self.stem, number or 0), 0o600)
        except OSError as error:
            guard.hand_on(error)


def _cwd():
    try:
        return os.getcwd()
    except OSError as error:
        guard.hand_on(error)
        return os.sep


def command_line():
    """The command line as the system has it: sys.argv is not set yet under `python -m`."""
    original = getattr(sys, "orig_argv", None)
    if original:
        return list(original)
    try:
        with open("/proc/self/cmdline", "rb") as file:
            return [os.fsdecode(arg) for arg in file.read().split(b"\0")[:-1]]
    except OSError as error:
        guard.hand_on(error)
        return [sys.executable or "python"] + list(getattr(sys, "argv", []))


def program(argv):
    """What Python was told to run: ("script", path), ("module", name) or ("", "")."""
    takes_value = ("-W", "-X", "--check-hash-based-pycs")
    index = 1
    while index < len(argv):
        arg = argv[index]
        if arg == "-m":
            return "module", argv[index + 1] if index + 1 < len(argv) else ""
        if arg.startswith("-m") and not arg.startswith("--"):
            return "module", arg[2:]
        if arg == "-" or arg.startswith("-c"):
            return "", ""
        if not arg.startswith("-"):
            return "script", arg
        index += 2 if arg in takes_value else 1
    return "", ""


def role_of(argv):
    """The role that the command line tells; a process that counts steps trains whatever this says."""
    if any("compile_worker" in arg for arg in argv):
        return WORKER
    kind, name = program(argv)
    if kind == "script":
        base = os.path.basename(name)
        following = argv[argv.index(name) + 1 :]
        if base == "accelerate":
            return LAUNCHER if "launch" in following[:1] else UNKNOWN
        return LAUNCHER if base in _LAUNCHERS else UNKNOWN
    return LAUNCHER if name in _LAUNCHERS else UNKNOWN


def ranks(torch):
    """(rank, number of ranks, rank on this machine); torch.distributed knows best once it is up."""
    rank, world, local = 0, 1, 0
    for names in _RANKS:
        found = [_number(os.environ.get(name)) for name in names]
        if found[0] is not None and found[1] is not None:
            rank, world, local = found[0], found[1], found[2] or 0
            break
    distributed = sys.modules.get("torch.distributed")
    try:
        if distributed is not None and distributed.is_available() and distributed.is_initialized():
            rank, world = distributed.get_rank(), distributed.get_world_size()
    except Exception as error:  # a process group that is just going down: the environment's answer stands
        guard.hand_on(error)
    return rank, world, local


# What schedulers call a job. The number is the same for all of its ranks, however they were started.
_SCHEDULERS = (
    ("slurm", "SLURM_JOB_ID"), ("pbs", "PBS_JOBID"), ("lsf", "LSB_JOBID"), ("flux", "FLUX_JOB_ID"), ("sge", "JOB_ID"),
)


def job():
    """The names by which this process knows its job; empty where it knows none."""
    run = os.environ.get("TORCHELASTIC_RUN_ID", "")
    address, port = os.environ.get("MASTER_ADDR", ""), os.environ.get("MASTER_PORT", "")
    numbers = ["%s %s" % (name, os.environ[key]) for name, key in _SCHEDULERS if os.environ.get(key)]
    return {
        "run": "" if run == "none" else run,  # what torchrun puts where it was given no name
        "master": "%s:%s" % (address, port) if address and port else "",
        "scheduler": numbers[0] if numbers else "",
    }


def _number(text):
    try:
        return int(text)
    except (TypeError, ValueError):
        return None
