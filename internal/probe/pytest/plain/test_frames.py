import os
import sys
import unittest

from _torchleak import frames


class FilesTest(unittest.TestCase):
    def setUp(self):
        self.files = frames.Files("/home/u/project", "/opt/venv/lib/python3.11/site-packages/torch")

    def test_kinds(self):
        stdlib = os.path.dirname(os.__file__)
        for path, kind in (
            ("train.py", frames.USER),
            ("/home/u/project/pkg/model.py", frames.USER),
            ("/home/u/elsewhere/model.py", frames.USER),
            ("/home/u/project/.venv/lib/python3.11/site-packages/x/y.py", frames.PACKAGE),
            ("/usr/lib/python3/dist-packages/x.py", frames.PACKAGE),
            ("/opt/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", frames.SYSTEM),
            ("/opt/venv/lib/python3.11/site-packages/torchvision/models/resnet.py", frames.PACKAGE),
            (os.path.join(stdlib, "threading.py"), frames.SYSTEM),
            (os.path.join(stdlib, "site-packages", "z.py"), frames.PACKAGE),
            (frames.__file__, frames.SYSTEM),
            ("<frozen importlib._bootstrap>", frames.SYSTEM),
            ("<eval_with_key>.0", frames.SYSTEM),
            ("<ipython-input-3-abc>", frames.USER),
        ):
            self.assertEqual(self.files.kind(path), kind, path)

    def test_project_inside_packages(self):
        files = frames.Files("/venv/lib/python3.11/site-packages/lab")
        self.assertEqual(files.kind("/venv/lib/python3.11/site-packages/lab/train.py"), frames.USER)
        self.assertEqual(files.kind("/venv/lib/python3.11/site-packages/other/x.py"), frames.PACKAGE)

    def test_relative_files_stay_where_the_target_began(self):
        self.assertEqual(self.files.absolute("train.py"), "/home/u/project/train.py")

    def test_user_frames_are_innermost_first(self):
        def inner():
            return frames.user_frames(frames.Files(os.getcwd()), frames.outwards(sys._getframe()), 2)

        found = inner()
        self.assertEqual([f["function"] for f in found], ["inner", "test_user_frames_are_innermost_first"])
        self.assertEqual(found[0]["file"], os.path.abspath(__file__))
