"""Following lines and reading names, in every Python: no torch is needed for it."""

import sys
import unittest

from _torchleak.evidence import locals as names
from _torchleak.evidence import targets, tracer
from _torchleak.frames import Files


class Autograd:
    """What the tracer asks of torch."""

    @staticmethod
    def is_grad_enabled():
        return True


class Context:
    """As much of a request's context as following lines needs."""

    def __init__(self):
        self.torch, self.step, self.notes = Autograd, 1, []
        self._files = Files("/", "")

    def is_user_file(self, filename):
        return filename == __file__

    def user_frames(self, frame, limit):
        found = []
        while frame is not None and len(found) < limit:
            if self.is_user_file(frame.f_code.co_filename):
                found.append({"file": __file__, "line": frame.f_lineno, "function": frame.f_code.co_name})
            frame = frame.f_back
        return found

    def note(self, text):
        self.notes.append(text)


def line():
    """The caller's line."""
    return sys._getframe(1).f_lineno


class Writes(unittest.TestCase):
    def setUp(self):
        self.ctx = Context()

    def follow(self, *watched, **options):
        follower = tracer.Tracer(self.ctx, list(watched), options.get("observe", lambda *_: None), 60)
        self.assertEqual(follower.begin(sys._getframe(1)), "")
        return follower

    def places(self, follower, number=0):
        return [(write["frames"][0]["function"], write["frames"][0]["line"], write["count"])
                for write in follower.writes.get(number, [])]

    def test_the_line_that_appends(self):
        kept = []
        follower = self.follow(targets.Target(0, lambda _: len(kept), lambda _: kept))
        for _ in range(3):
            kept.append(1); here = line()  # noqa: E702
        follower.end()
        self.assertEqual(self.places(follower), [("test_the_line_that_appends", here, 3)])

    def test_the_line_in_a_function_called_and_not_the_call(self):
        kept = []

        def add(value):
            kept.append(value); return line()  # noqa: E702

        follower = self.follow(targets.Target(0, lambda _: len(kept), lambda _: kept))
        where = add(1)
        follower.end()
        self.assertEqual(self.places(follower), [("add", where, 1)])

    def test_the_call_when_a_function_in_c_calls_back(self):
        kept = []

        def key(value):
            return value

        follower = self.follow(targets.Target(0, lambda _: len(kept), lambda _: kept))
        kept.extend(map(key, [1, 2])); here = line()  # noqa: E702
        follower.end()
        function, at, _ = self.places(follower)[-1]
        self.assertEqual((function, at), ("test_the_call_when_a_function_in_c_calls_back", here))

    def test_shrinking_is_no_write(self):
        kept = [1, 2, 3]
        follower = self.follow(targets.Target(0, lambda _: len(kept), lambda _: kept))
        kept.pop()
        follower.end()
        self.assertEqual(self.places(follower), [])

    def test_a_name_of_a_running_function(self):
        frame = sys._getframe()
        target = targets.Target(0, lambda f: (id(f.f_locals.get("value")), 0), lambda f: f.f_locals.get("value"),
                                id(frame), frame.f_code)
        value = object()
        follower = self.follow(target)
        before = value  # noqa: F841
        value = object(); here = line()  # noqa: E702
        follower.end()
        self.assertEqual(self.places(follower), [("test_a_name_of_a_running_function", here, 1)])
        self.assertIsNot(value, before)

    def test_exceptions_leave_it_in_step(self):
        kept = []

        def fail():
            raise ValueError

        follower = self.follow(targets.Target(0, lambda _: len(kept), lambda _: kept))
        try:
            fail()
        except ValueError:
            kept.append(1); here = line()  # noqa: E702
        follower.end()
        self.assertEqual(self.places(follower), [("test_exceptions_leave_it_in_step", here, 1)])

    def test_all_is_taken_back(self):
        follower = self.follow()
        self.assertIsNotNone(sys.gettrace())
        follower.end()
        self.assertIsNone(sys.gettrace())
        frame = sys._getframe()
        while frame is not None:
            self.assertIsNone(frame.f_trace)
            frame = frame.f_back

    def test_a_tracer_that_is_there_is_left_alone(self):
        def other(frame, event, arg):
            return None

        sys.settrace(other)
        try:
            follower = tracer.Tracer(self.ctx, [], lambda *_: None, 60)
            reason = follower.begin(sys._getframe())
            follower.end()
            self.assertIs(sys.gettrace(), other)
        finally:
            sys.settrace(None)
        self.assertIn("traces its own lines", reason)

    def test_a_tracer_that_comes_later_is_left_alone(self):
        def other(frame, event, arg):
            return None

        follower = self.follow()
        sys.settrace(other)
        try:
            follower.end()
            self.assertIs(sys.gettrace(), other)
        finally:
            sys.settrace(None)

    def test_values_of_traced_functions_keep_their_values(self):
        def count(upto):
            total = 0
            for number in range(upto):
                total += number
            return total

        def counter():
            state = 0

            def step():
                nonlocal state
                state += 1
                return state
            return step

        follower = self.follow(observe=lambda frame, at, returned: list(frame.f_locals.values()))
        step = counter()
        results = [count(10), step(), step(), step(), sum(number for number in range(5))]
        follower.end()
        self.assertEqual(results, [45, 1, 2, 3, 10])

    def test_an_error_of_ours_ends_it_quietly(self):
        def fail(_):
            raise RuntimeError("ours")

        target = targets.Target(0, lambda f: 0 if f is None else fail(f), fail)
        follower = self.follow(target)
        value = 1 + 1
        self.assertEqual(value, 2)
        follower.end()
        self.assertTrue(any("ended early" in note for note in self.ctx.notes))


class Names(unittest.TestCase):
    def test_names_of_a_caller(self):
        def callee():
            return dict(names.read(sys._getframe(1)))

        def caller():
            first, second = 1, [2]  # noqa: F841
            return callee(), second

        found, second = caller()
        self.assertEqual(found["first"], 1)
        self.assertIs(found["second"], second)

    def test_reading_keeps_nothing_alive(self):
        class Thing:
            pass

        def callee():
            names.read(sys._getframe(1))

        def caller():
            thing = Thing()
            callee()
            count = sys.getrefcount(thing)
            del thing
            return count

        def plain():
            thing = Thing()
            count = sys.getrefcount(thing)
            del thing
            return count

        self.assertEqual(caller(), plain())

    @unittest.skipIf(sys.version_info >= (3, 13), "names are read without a dict")
    def test_a_function_that_asks_for_its_names_is_not_read(self):
        def asking():
            mine = locals()
            mine["extra"] = 1
            found = names.read(sys._getframe())
            return found, mine

        found, mine = asking()
        self.assertEqual(found, [])
        self.assertIn("extra", mine)

    def test_an_attribute_called_eval_asks_for_nothing(self):
        class Model:
            def eval(self):
                return self

        def evaluating():
            model = Model().eval()
            return dict(names.read(sys._getframe())), model

        found, model = evaluating()
        self.assertIs(found["model"], model)

    def test_names_of_a_suspended_generator(self):
        def numbers():
            kept = [1]
            yield kept

        generator = numbers()
        kept = next(generator)
        self.assertIs(dict(names.read(generator.gi_frame))["kept"], kept)


if __name__ == "__main__":
    unittest.main()
