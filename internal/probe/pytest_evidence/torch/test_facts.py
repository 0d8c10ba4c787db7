"""Figures and facts beside the holder: graphs, views, calls, births, cycles, bounds."""

import unittest

import driver
import torch


def groups_of(answer, path):
    """The groups that the holder at a path keeps."""
    number = next(holder["id"] for holder in answer["holders"] if holder["path"] == path)
    return [group for group in answer["groups"] if number in group["holders"]]


def whats(answer):
    """The kinds of calls noted."""
    return {call["what"] for call in answer["calls"]}


class Facts(unittest.TestCase):
    def test_graph_of_kept_losses_grows_but_holds_no_bytes_after_backward(self):
        group, = groups_of(driver.run("list_of_losses"), "__main__.losses")
        self.assertEqual(group["grad_fn"], "NllLossBackward0")
        self.assertLess(group["graph_nodes"][0], group["graph_nodes"][2])
        self.assertEqual(group["graph_bytes"], [0, 0, 0])

    def test_graph_of_an_evaluation_holds_its_activations(self):
        answer = driver.run("evaluation_with_grad")
        losses = [g for g in groups_of(answer, "__main__.validation") if g["grad_fn"] == "NllLossBackward0"][0]
        self.assertGreater(losses["graph_bytes"][2] - losses["graph_bytes"][0], 4 * 8 * 24 * 4)
        self.assertIn("module_forward_grad_eval", whats(answer))
        call, = [call for call in answer["calls"] if call["what"] == "module_forward_grad_eval"]
        self.assertEqual(call["frames"][0]["function"], "evaluate")

    def test_a_running_total_is_one_tensor_with_a_growing_graph(self):
        group, = groups_of(driver.run("running_total_local"), "train() local total")
        self.assertEqual(group["count"], [1, 1, 1])
        self.assertLess(group["graph_nodes"][0], group["graph_nodes"][1])
        self.assertLess(group["graph_nodes"][1], group["graph_nodes"][2])

    def test_only_the_state_is_blamed_of_what_is_computed_from_it(self):
        answer = driver.run("carried_state")
        slots = [holder["path"] for holder in answer["holders"] if holder["kind"] == "slot"]
        self.assertEqual(slots[0], "train() local h")
        self.assertIn("backward.retain_graph", whats(answer))

    def test_a_view_is_charged_with_its_base(self):
        groups = groups_of(driver.run("stored_view"), "__main__.first_rows")
        view, = [group for group in groups if group["shape"] == [1, 4]]
        self.assertEqual((view["storage_bytes"], view["tensor_bytes"]), (128, 16))

    def test_create_graph_is_seen_in_the_call_and_in_gradients_with_a_graph(self):
        answer = driver.run("create_graph")
        self.assertIn("backward.create_graph", whats(answer))
        self.assertTrue([g for g in answer["groups"] if g["category"] == "gradient" and g["grad_fn"]])

    def test_hooks_registered_each_step(self):
        answer = driver.run("hook_every_step")
        registration, = answer["registrations"]
        self.assertEqual(registration["table"], "_forward_hooks")
        self.assertEqual([registration["frames"][0]["line"]], driver.marked_lines("hook_every_step"))

    def test_the_hook_on_the_way_is_named(self):
        holder = driver.run("hook_closure")["holders"][0]
        self.assertEqual(holder["through"], "hook keep registered on __main__.model.block")
        self.assertEqual((holder["hook"]["table"], holder["hook"]["module_type"], holder["hook"]["function"]),
                         ("_forward_hooks", "Sequential", "keep"))

    def test_births_are_the_lines_that_made_the_survivors(self):
        for name in ("list_of_losses", "born_before_the_step", "born_in_forward", "born_in_a_tuple", "born_over_lines"):
            with self.subTest(name):
                births = driver.run(name)["births"]
                lines = (driver.TRAININGS / (name + ".py")).read_text().splitlines()
                born = [births[0]["frames"][0]["line"], lines[births[0]["frames"][0]["line"] - 1]] if births else None
                want = [number for number, line in enumerate(lines, 1) if line.endswith("# born")]
                self.assertTrue(born and born[0] in want, "%s, not %s" % (born, want))

    def test_bounds_are_told(self):
        self.assertEqual(driver.run("bounded_deque")["holders"][0]["maxlen"], 100)

    def test_an_optimizers_state_is_bounded_by_its_parameters(self):
        answer = driver.run("unfreezing", period=6)
        state = [holder for holder in answer["holders"] if holder["kind"] == "optimizer"]
        self.assertEqual([holder["maxlen"] for holder in state], [16], driver.show(answer))
        if hasattr(torch.ones(1, requires_grad=True).exp().grad_fn, "_sequence_nr"):  # else no step is told from another
            deeper = [group for group in answer["groups"] if group["grad_fn"]]
            self.assertEqual(deeper, [], driver.show(answer))
        growing = [holder for holder in driver.run("add_param_group")["holders"] if holder["kind"] == "optimizer"]
        self.assertEqual({holder["maxlen"] for holder in growing if holder["path"].endswith(".state")} - {None}, set())

    def test_cycles_are_named_and_counted(self):
        cycle, = driver.run("ctx_cycle")["cycles"]
        self.assertEqual(cycle["sample"], ["Scale.ctx", "y", "grad_fn"])
        self.assertGreater(cycle["count"], 0)
        self.assertEqual(driver.run("list_of_losses")["cycles"], [])

    def test_growing_categories(self):
        categories = {group["category"] for group in driver.run("add_param_group")["groups"]}
        self.assertIn("parameter", categories)
        self.assertEqual({group["category"] for group in driver.run("growing_module_list")["groups"]}, {"parameter"})

    def test_lists_of_tensors_alike_are_all_told(self):
        answer = driver.run("six_lists")
        group, = answer["groups"]
        self.assertEqual(len(group["holders"]), 6)

    def test_nothing_grows_in_a_healthy_training(self):
        answer = driver.run("healthy")
        self.assertEqual((answer["groups"], answer["holders"], answer["cycles"]), ([], [], []))

    def test_another_longer_text_or_array_each_step_is_no_growth(self):
        self.assertEqual(driver.run("other_texts")["holders"], [])

    def test_what_is_not_tensors_has_a_size_too(self):
        holder = driver.run("plain_numbers")["holders"][0]
        self.assertEqual((holder["type"], holder["elements"]), ("list", "float"))
        self.assertGreaterEqual(holder["bytes"][2], 320 * 24)

    def test_numbers_of_open_shared_memory_are_told(self):
        holder = driver.run("kept_descriptors")["holders"][0]
        self.assertEqual((holder["type"], holder["elements"], holder["native"]), ("list", "descriptor", False))

    def test_the_keys_of_a_dict_have_a_size_too(self):
        holder, = [h for h in driver.run("kept_warnings")["holders"] if h["path"] == "__main__.__warningregistry__"]
        each = (holder["bytes"][2] - holder["bytes"][0]) / (holder["length"][2] - holder["length"][0])
        self.assertGreater(each, 3000)  # the keys of 4 KiB, and "version"

    def test_a_text_that_stands_in_two_places_is_counted_once(self):
        holder, = [h for h in driver.run("kept_records")["holders"] if h["path"] == "__main__.records"]
        each = (holder["bytes"][2] - holder["bytes"][0]) / (holder["length"][2] - holder["length"][0])
        self.assertGreater(each, 4096)
        self.assertLess(each, 6000)

    def test_a_view_of_bytes_keeps_all_of_them_and_ctypes_what_it_made(self):
        each = {}
        for holder in driver.run("kept_buffers")["holders"]:
            each[holder["path"]] = (holder["bytes"][2] - holder["bytes"][0]) / (holder["length"][2] - holder["length"][0])
        self.assertAlmostEqual(each["__main__.headers"], 8192, delta=256)
        self.assertAlmostEqual(each["__main__.frames"], 4096, delta=256)

    def test_objects_of_a_library_are_told(self):
        holder = driver.run("kept_futures")["holders"][0]
        self.assertEqual((holder["type"], holder["elements"], holder["native"]), ("list", "Future", True))

    def test_a_view_of_an_array_keeps_all_of_it(self):
        holder, = [h for h in driver.run("view_of_array")["holders"] if h["path"] == "__main__.rows"]
        each = (holder["bytes"][2] - holder["bytes"][0]) / (holder["length"][2] - holder["length"][0])
        self.assertAlmostEqual(each, 64 * 1024 * 8, delta=1024)

    def test_a_period_spaces_the_censuses(self):
        answer = driver.run("list_of_losses", at=4, period=3)
        steps = [census["step"] for census in answer["censuses"]]
        self.assertEqual(steps, [5, 8, 11])

    def test_growth_that_comes_seldom_is_seen_in_longer_windows(self):
        answer = driver.run("every_fifth")
        steps = [census["step"] for census in answer["censuses"]]
        self.assertEqual([b - a for a, b in zip(steps, steps[1:])], [8, 8])

    def test_what_is_kept_once_in_several_periods_is_looked_for_in_longer_windows(self):
        answer = driver.run("kept_by_round", period=4)
        steps = [census["step"] for census in answer["censuses"]]
        self.assertEqual([b - a for a, b in zip(steps, steps[1:])], [16, 16])
        holder, = [holder for holder in answer["holders"] if holder["path"] == "__main__.rounds"]
        self.assertEqual([w["frames"][0]["line"] for w in holder["writes"]], driver.marked_lines("kept_by_round"))

    def test_growth_that_comes_seldom_is_watched_until_it_comes(self):
        for at in range(6, 11):
            holder, = driver.run("every_fifth", at=at)["holders"]
            self.assertTrue(holder["writes"], at)

    def test_growth_in_one_window_is_a_hint(self):
        answer = driver.run("now_and_then")
        self.assertEqual((answer["groups"], answer["holders"]), ([], []))
        self.assertIn("grew in one window of two: __main__.samples", answer["notes"])

    def test_the_file_is_written_after_each_window(self):
        self.assertGreaterEqual(driver.run("list_of_losses")["writes"], 3)


if __name__ == "__main__":
    unittest.main()
