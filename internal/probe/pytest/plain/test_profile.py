"""What the allocator's history is told by: the number of an operator as the line of a frame."""

import ctypes
import os
import pickle
import sys
import tempfile
import types
import unittest

from _torchleak.profile import history


class MarkTest(unittest.TestCase):
    def test_the_line_is_one_more_than_the_number(self):
        def operator(a, b):
            return frames_above()

        for op in (0, 1, 255, 70000):
            self.assertIn((history.FILE, op + 1), history._marked(op, operator, (1,), {"b": 2}))

    def test_so_does_the_allocator_read_it(self):
        line_of = ctypes.pythonapi.PyCode_Addr2Line
        line_of.argtypes = (ctypes.py_object, ctypes.c_int)
        found = []

        def operator():
            frame = sys._getframe(1)
            found.append(line_of(frame.f_code, frame.f_lasti))

        history._marked(70000, operator, (), {})
        self.assertEqual(found, [70001])


class HistoryTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.asked = []
        memory = types.SimpleNamespace(_snapshot=lambda: {"segments": []},
                                       _record_memory_history=lambda enabled, **_: self.asked.append(enabled))
        torch = types.SimpleNamespace(cuda=types.SimpleNamespace(is_initialized=lambda: True, memory=memory),
                                      _C=types.SimpleNamespace(_cuda_isHistoryEnabled=lambda: False))
        path = os.path.join(self.folder.name, "1-2.")
        self.history = history.History(types.SimpleNamespace(torch=torch, file=lambda suffix: path + suffix))
        self.history.begin()

    def test_it_is_switched_off_and_kept(self):
        self.assertEqual(self.history.end(), "1-2.profile.pickle")
        self.history.drop()
        self.assertEqual(self.asked, ["all", None])
        self.assertTrue(self.history.covers("cuda:0"))
        with open(os.path.join(self.folder.name, "1-2.profile.pickle"), "rb") as file:
            self.assertEqual(pickle.load(file), {"segments": []})

    def test_what_is_given_up_leaves_no_file(self):
        self.history.drop()
        self.assertEqual(self.history.end(), "")
        self.assertEqual(self.asked, ["all", None])
        self.assertEqual(os.listdir(self.folder.name), [])


def frames_above():
    """(file, line) of all frames."""
    frame, found = sys._getframe(1), []
    while frame is not None:
        found.append((frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return found


if __name__ == "__main__":
    unittest.main()
