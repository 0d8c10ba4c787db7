"""What the allocator's history is told by: the number of an operator as the line of a frame."""

import ctypes
import sys
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


def frames_above():
    """(file, line) of all frames."""
    frame, found = sys._getframe(1), []
    while frame is not None:
        found.append((frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return found


if __name__ == "__main__":
    unittest.main()
