"""The target is sacred: what it computes, what it has installed and what its classes do stay as they were."""

import unittest

import driver


class Target(unittest.TestCase):
    def test_weights_totals_and_random_state_are_the_same_to_the_bit(self):
        plain = driver.run("weights", investigate=False)["result"]
        self.assertEqual(driver.run("weights")["result"], plain)
        self.assertEqual(driver.run("weights", at=3, period=7)["result"], plain)

    def test_no_trap_of_a_hostile_class_springs(self):
        # list.append and dict.__setitem__ of the training itself spring none either.
        self.assertEqual(driver.run("hostile_classes")["result"],
                         driver.run("hostile_classes", investigate=False)["result"])

    def test_a_tracer_of_the_users_stays(self):
        answer = driver.run("traced_by_user")
        self.assertTrue(answer["result"])
        self.assertTrue(any("traces its own lines" in note for note in answer["notes"]))

    def test_nothing_is_recomputed_where_saved_tensors_go_through_hooks(self):
        plain = driver.run("checkpointed", investigate=False)["result"]
        answer = driver.run("checkpointed")
        self.assertEqual(answer["result"], plain)
        self.assertTrue(any("hooks" in note for note in answer["notes"]))

    def test_a_dict_of_locals_that_the_program_keeps_is_not_changed(self):
        self.assertEqual(driver.run("asks_for_locals")["result"],
                         driver.run("asks_for_locals", investigate=False)["result"])

    def test_all_is_put_back(self):
        self.assertEqual(driver.run("put_back")["result"], [])

    def test_a_request_that_is_interrupted_again_and_again_is_given_up(self):
        clock = driver.Clock(1, "host", 1, 300)
        clock.tick()
        clock.job._due = self._interrupted
        for _ in range(3):
            with self.assertRaises(KeyboardInterrupt):
                clock.tick()
        clock.tick()
        self.assertTrue(clock.done)
        self.assertEqual(clock.identity.documents[-1]["failed"], "interrupted")

    def _interrupted(self, step):
        raise KeyboardInterrupt

    def test_nothing_is_kept_alive(self):
        self.assertEqual(driver.run("frees")["result"], driver.run("frees", investigate=False)["result"])

    def test_nothing_is_kept_alive_by_what_is_suspended(self):
        told, plain = (driver.run("frees_suspended", investigate=look)["result"] for look in (True, False))
        self.assertEqual(told, plain)

    def test_a_walk_fits_in_the_budget(self):
        answer = driver.run("many_objects", budget_ms=300)
        self.assertTrue(answer["complete"])
        self.assertGreater(answer["censuses"][0]["objects"], 400000)
        # The processor's time counts: on a busy machine the clock on the wall says little.
        spent, longest = answer["result"]
        self.assertLess(spent, 0.6)
        self.assertLess(longest, 0.25)


if __name__ == "__main__":
    unittest.main()
