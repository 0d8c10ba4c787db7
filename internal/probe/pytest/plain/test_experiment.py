"""Statements are made switchable without changing what the source does, or where."""

import ast
import builtins
import glob
import os
import unittest

from _torchleak.experiment.rewrite import NAME, Rewriter
from _torchleak.experiment.values import Kept, reuse, spent

SOURCE = '''
import sys
kept, total = [], 0
class Box:
    limit = 3
    def put(self, x):
        """Docstring."""
        self.last = x
        self.items[len(self.items)] = x
        return self.last + 1
    def __init__(self):
        self.items = {}
def generate(n):
    for i in range(n):
        got = yield i
box = Box()
for i, g in enumerate(generate(4)):
    y = box.put(
        i)
    total += y
    before = total - y
    kept.append(before)
    print("x", file=sys.stderr) if i > 9 else None
    prev = y if i == 0 else prev + y
    (lambda: kept.append(1))()
'''


class Switches:
    """All on; counts."""

    def __init__(self):
        self.asked = {}

    def on(self, index):
        self.asked[index] = self.asked.get(index, 0) + 1
        return True

    def done(self, index):
        pass

    def put(self, index, value):
        return value


def rewritten(source, guarded):
    statements = []

    def enter(place, gives):
        statements.append(dict(place, gives=gives))
        return len(statements) - 1

    return Rewriter(enter, guarded).rewrite(ast.parse(source)), statements


class Rewrite(unittest.TestCase):
    def run_with(self, tree):
        switches = Switches()
        setattr(builtins, NAME, switches)
        try:
            space = {"__name__": "x"}
            exec(compile(tree, "x.py", "exec"), space)
        finally:
            delattr(builtins, NAME)
        return space, switches

    def test_does_the_same(self):
        plain = {}
        exec(SOURCE, plain)
        for guarded in (False, True):
            tree, statements = rewritten(SOURCE, guarded)
            space, switches = self.run_with(tree)
            for name in ("kept", "total", "before", "prev"):
                self.assertEqual(space[name], plain[name])
            at = {s["line"]: i for i, s in enumerate(statements)}
            self.assertEqual([switches.asked[at[line]] for line in (8, 9, 18, 20, 22)], [4] * 5)

    def test_kinds(self):
        kinds = {s["line"]: s["kind"] for s in rewritten(SOURCE, True)[1]}
        want = {8: "store", 9: "store", 10: "value", 18: "value", 20: "carry", 21: "value", 22: "keep", 24: "carry", 25: "call"}
        self.assertEqual({line: kinds.get(line) for line in want}, want)
        self.assertNotIn(5, kinds, "a class's own body is left")
        self.assertNotIn(15, kinds, "what yields is left")

    def test_one_of_several_that_stores(self):
        source = "def f(box, xs):\n    y, box.state = xs\n    (y, z), w = xs, box.state\n    return y\n"
        self.assertEqual([s["kind"] for s in rewritten(source, True)[1]], ["store", "value", "value"])

    def test_lines_stay(self):
        """All of a folder of the standard library: it compiles, and each line still begins where it did."""
        for path in sorted(glob.glob(os.path.join(os.path.dirname(os.__file__), "*.py")))[:30]:
            with open(path, encoding="utf-8") as file:
                source = file.read()
            lines = {n.lineno for n in ast.walk(ast.parse(source)) if isinstance(n, ast.stmt)}
            tree, statements = rewritten(source, True)
            compile(tree, path, "exec")
            self.assertEqual({n.lineno for n in ast.walk(tree) if isinstance(n, ast.stmt)}, lines, path)
            self.assertLessEqual({s["line"] for s in statements}, lines)


class Values(unittest.TestCase):
    def test_kept(self):
        value = {"a": [1, (2, 3)], "b": {4}}
        self.assertEqual(reuse(Kept().keep(value, True)), value)

    def test_spent(self):
        self.assertTrue(spent(iter([1])) and spent(x for x in ()))
        self.assertFalse(spent([1]) or spent("x"))

    def test_room(self):
        class Large:
            def element_size(self):
                return 4

            def nelement(self):
                return 60 << 20  # 240 MiB

        kept = Kept()
        kept.keep([Large()], False)
        with self.assertRaises(MemoryError):
            kept.keep(Large(), False)
        kept.keep(Large(), True)


if __name__ == "__main__":
    unittest.main()
