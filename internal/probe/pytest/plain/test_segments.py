"""Shared memory without a name is counted, and what of it no mapping shows."""

import mmap
import os
import sys
import unittest

from _torchleak.backends import cpu

SIZE = 1 << 20


@unittest.skipUnless(sys.platform.startswith("linux") and hasattr(os, "memfd_create"), "there are no such files here")
class SegmentsTest(unittest.TestCase):
    def setUp(self):
        self.count, self.bytes = cpu._nameless_segments()

    def file(self):
        fd = os.memfd_create("weights")
        self.addCleanup(os.close, fd)
        os.write(fd, b"x" * SIZE)
        return fd

    def test_a_file_of_memory_counts_though_nobody_maps_it(self):
        self.file()
        self.assertEqual(cpu._nameless_segments(), (self.count + 1, self.bytes + SIZE))

    def test_its_bytes_are_once_counted(self):
        fd = self.file()
        again = os.dup(fd)
        self.addCleanup(os.close, again)
        self.assertEqual(cpu._nameless_segments(), (self.count + 2, self.bytes + SIZE))
        with mmap.mmap(fd, SIZE):  # the pages of the process have them now
            self.assertEqual(cpu._nameless_segments()[1], self.bytes)

    def test_other_descriptors_are_none(self):
        ends = os.pipe()
        for end in ends:
            self.addCleanup(os.close, end)
        self.assertEqual(cpu._nameless_segments(), (self.count, self.bytes))


if __name__ == "__main__":
    unittest.main()
