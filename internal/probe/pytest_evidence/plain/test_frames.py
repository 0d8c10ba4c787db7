"""Whose running functions are looked into."""

import gc
import unittest
import weakref

from _torchleak.evidence import locals as names


class FramesTest(unittest.TestCase):
    def test_looking_keeps_no_frame(self):
        class Local:
            pass

        def function():
            local = Local()
            kept.append(weakref.ref(local))
            self.assertTrue(list(names.frames_of_threads(lambda file: True)))

        kept, collects = [], gc.isenabled()
        gc.disable()
        try:
            function()
            self.assertIsNone(kept[0](), "only the collector would free it")
        finally:
            if collects:
                gc.enable()

    def test_wanted_files_and_text(self):
        def mine(name):
            return name == "/home/me/train.py"

        for file, want in (("/home/me/train.py", 2), ("/usr/lib/python3/x.py", 0), ("<cell 1>", 1), ("<frozen x>", 0)):
            seen = []
            space = {"look": lambda: seen.extend(f.f_code.co_filename for f in names.frames_of_threads(mine))}
            exec(compile("def fit():\n    look()\nfit()\n", file, "exec"), space)
            self.assertEqual(seen, [file] * want, file)

    def test_namespaces(self):
        seen = []
        space = {"look": lambda: seen.extend(names.frames_of_threads(lambda name: name == "t.py"))}
        own = {}
        exec(compile("look()", "t.py", "exec"), space, own)
        tables = list(names.namespaces(seen[0]))
        self.assertEqual([table is wanted for table, wanted in zip(tables, (space, own))], [True, True])


if __name__ == "__main__":
    unittest.main()
