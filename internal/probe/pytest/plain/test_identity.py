import os
import unittest
from unittest import mock

from _torchleak import identity


class RoleTest(unittest.TestCase):
    def test_roles(self):
        for argv, role in (
            (["python", "train.py"], "unknown"),
            (["python", "/opt/bin/torchrun", "--nproc_per_node=2", "train.py"], "launcher"),
            (["python", "-m", "torch.distributed.run", "train.py"], "launcher"),
            (["python", "-u", "-W", "ignore", "-mtorch.distributed.launch", "train.py"], "launcher"),
            (["python", "/opt/bin/accelerate", "launch", "train.py"], "launcher"),
            (["python", "/opt/bin/accelerate", "config"], "unknown"),
            (["python", "train.py", "torchrun"], "unknown"),
            (["python", "/t/torch/_inductor/compile_worker/__main__.py", "--workers=4"], "worker"),
            (["python", "-c", "print(1)", "torchrun"], "unknown"),
            (["python"], "unknown"),
        ):
            self.assertEqual(identity.role_of(argv), role, argv)


class RanksTest(unittest.TestCase):
    def ranks(self, **env):
        with mock.patch.dict(os.environ, env, clear=True):
            return identity.ranks(None)

    def test_sources(self):
        self.assertEqual(self.ranks(), (0, 1, 0))
        self.assertEqual(self.ranks(RANK="3", WORLD_SIZE="8", LOCAL_RANK="1"), (3, 8, 1))
        self.assertEqual(self.ranks(RANK="3"), (0, 1, 0))
        self.assertEqual(self.ranks(SLURM_PROCID="5", SLURM_NTASKS="6"), (5, 6, 0))
        self.assertEqual(self.ranks(RANK="x", WORLD_SIZE="8"), (0, 1, 0))
        self.assertEqual(
            self.ranks(OMPI_COMM_WORLD_RANK="1", OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_LOCAL_RANK="1"), (1, 2, 1))


class JobTest(unittest.TestCase):
    def job(self, **env):
        with mock.patch.dict(os.environ, env, clear=True):
            return tuple(identity.job()[key] for key in ("run", "master", "scheduler"))

    def test_sources(self):
        self.assertEqual(self.job(), ("", "", ""))
        self.assertEqual(self.job(TORCHELASTIC_RUN_ID="r1", MASTER_ADDR="n0", MASTER_PORT="1"), ("r1", "n0:1", ""))
        self.assertEqual(self.job(TORCHELASTIC_RUN_ID="none", MASTER_ADDR="n0"), ("", "", ""))
        self.assertEqual(self.job(SLURM_JOB_ID="77", JOB_ID="5"), ("", "", "slurm 77"))
