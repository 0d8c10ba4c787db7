import os
import stat
import subprocess
import sys
import unittest

from harness import Flight as Read, Run

from _torchleak import flight


class FlightTest(unittest.TestCase):
    def setUp(self):
        self.run_ = Run()
        self.path = os.path.join(self.run_.dir, "x.flight")

    def tearDown(self):
        self.run_.close()

    def test_ring(self):
        f = flight.Flight(self.path, 7, 1, capacity=8)
        f.add_memory("host")
        f.add_memory("cuda:0")
        for step in range(1, 21):
            f.write(step, step * 1000, step % 2, 2, 0, flight.NOTHING if step % 3 else tuple(range(12)))
        f.progress(20, 2, 12345, 1)
        read = Read(self.path)
        self.assertEqual(read.names, ["host", "cuda:0"])
        self.assertEqual([r.step for r in read.records], list(range(13, 21)))
        self.assertEqual((read.steps, read.clock, read.probe_ns, read.errors), (20, "optimizer", 12345, 1))
        self.assertEqual(read.records[2].values, tuple(range(12)))
        self.assertEqual(read.records[3].values, flight.NOTHING)

    def test_private(self):
        flight.Flight(self.path, 7, 1, capacity=8)
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o600)
        self.assertEqual(os.stat(self.path).st_size, 4096 + 8 * 128)

    def test_names_end(self):
        f = flight.Flight(self.path, 7, 1, capacity=8)
        given = [f.add_memory("m%d" % i) for i in range(31)]
        self.assertEqual(given, list(range(30)) + [None])
        self.assertEqual(len(Read(self.path).names), 30)

    def test_what_goes_to_a_closed_stream_is_not_written_into_it(self):
        text = ("import os, sys\nfrom _torchleak import flight\n"
                "for number in range(3):\n    os.close(number)\n"
                "f = flight.Flight(%r, 7, 1, capacity=8)\n"
                "try:\n    os.write(1, b'printed')\nexcept OSError:\n    os._exit(5)\n" % self.path)
        environ = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
        self.assertEqual(subprocess.run([sys.executable, "-c", text], env=environ, timeout=60).returncode, 5)
        self.assertEqual(Read(self.path).capacity, 8)

    @unittest.skipUnless(sys.platform.startswith("linux"), "needs a file system that can be full")
    def test_full_disk_shows_at_creation(self):
        with self.assertRaises(OSError):
            flight.Flight("/dev/full", 7, 1)
