"""What is found in small trainings that leak in one way each: the holder, and the statement that writes to it."""

import sys
import unittest

import driver

# training: (kind of holder, its path, name and kind of its scope, whether the marked line must be seen writing)
LEAKS = {
    "list_of_losses": ("container", "__main__.losses", "losses", "global", True),
    "output_dict": ("container", "__main__.outputs", "outputs", "global", True),
    "meter_elsewhere": ("container", "__main__.history.values['loss']", "values", "attribute", False),
    "trainer_attribute": (
        "container", "main() local trainer.metrics.history.values['loss']", "values", "attribute", True),
    "running_total_local": ("slot", "train() local total", "total", "local", True),
    "total_global": ("slot", "__main__.total", "total", "global", True),
    "total_attribute": ("slot", "__main__.trainer.total", "total", "attribute", True),
    "total_in_dict": ("slot", "__main__.stats['loss']", "stats", "global", True),
    "ema_buffer": ("slot", "fit() local model.mean", "mean", "attribute", True),
    "carried_state": ("slot", "train() local h", "h", "local", True),
    "optimizer_state": ("slot", "__main__.optimizer.state[…]['momentum']", "state", "attribute", True),
    "concatenated": ("slot", "__main__.scores", "scores", "global", True),
    "evaluation_with_grad": ("container", "__main__.validation", "validation", "global", True),
    "stored_exceptions": (
        "exception", "locals of frame record() held by a stored exception in __main__.errors[…]",
        "errors", "global", True),
    "lru_cache_on_tensors": ("cache", "functools cache of normalised()", "normalised", "global", True),
    "stored_view": ("container", "__main__.first_rows", "first_rows", "global", True),
    "create_graph": ("native", "graph of its own gradient, from backward(create_graph=True)", "", "unknown", False),
    "ctx_cycle": ("cycle", "Scale.ctx.y.grad_fn", "y", "attribute", False),
    "lost_cycles": ("cycle", "Node.me", "me", "attribute", False),
    "list_in_optimizer_state": ("container", "__main__.optimizer.state[…]['losses']", "state", "attribute", True),
    "add_param_group": ("optimizer", "__main__.optimizer.param_groups", "param_groups", "attribute", True),
    "growing_module_list": ("registry", "fit() local model.adapters._modules", "adapters", "attribute", True),
    "kept_state_dicts": ("container", "__main__.checkpoints", "checkpoints", "global", True),
    "default_argument": ("container", "default argument seen of collect()", "seen", "default", True),
    "class_attribute": ("container", "class attribute Logger.rows", "rows", "class", True),
    "kept_in_package_class": ("container", "class attribute Registry.entries", "entries", "class", True),
    "kept_on_parameter": ("container", "__main__.weight.past", "past", "attribute", True),
    "chain_of_states": ("container", "__main__.run.state", "state", "attribute", True),
    "linked_entries": ("container", "Trainer.run() local self.last", "last", "attribute", True),
    "chained_maps": ("container", "__main__.context", "context", "global", True),
    "chained_iterators": ("container", "__main__.stream", "stream", "global", True),
    "endless_cycle": ("container", "__main__.endless", "endless", "global", False),
    "tee_read_once": ("container", "train() local seen", "seen", "local", False),
    "context_variable": ("container", "__main__.log", "log", "global", False),
    "cause_chain": ("exception", "Trainer.step() local self.last", "last", "attribute", True),
    "kept_nodes": ("container", "__main__.nodes", "nodes", "global", True),
    "finalizer": ("container", "class attribute finalize._registry", "_registry", "class", True),
    "plain_numbers": ("container", "__main__.curve", "curve", "global", True),
    "growing_text": ("slot", "train() local log", "log", "local", True),
    "growing_array": ("slot", "__main__.curve", "curve", "global", True),
    "deque_of_batches": ("container", "__main__.replay", "replay", "global", True),
    "bounded_deque": ("container", "__main__.recent", "recent", "global", True),
    "set_of_tensors": ("container", "__main__.seen", "seen", "global", True),
    "hook_closure": ("container", "closure feats of hook keep registered on __main__.model.block", "feats", "closure",
                     True),
    "hook_every_step": ("hooks", "__main__.model.block._forward_hooks", "block", "attribute", True),
    "held_by_generator": ("container", "generator averager() in __main__.average, local values", "values", "local",
                          True),
    "held_beside_comprehension": ("container", "main() local book.rows", "rows", "attribute", True),
    "held_by_loop": ("container", "generator Shuffled.__iter__() local rows", "rows", "local", False),
    "held_by_loader": ("container", "iterator DataLoader._dataset.cache", "cache", "attribute", True),
    "held_by_iterator": ("container", "iterator Stream.read", "read", "attribute", True),
    "other_thread": ("container", "collect() local kept", "kept", "local", False),
    "rebound_list": ("container", "__main__.log.rows", "rows", "attribute", True),
    "every_fifth": ("container", "__main__.samples", "samples", "global", False),
    "shapes_vary": ("container", "__main__.kept", "kept", "global", True),
    "frozen": ("container", "__main__.history", "history", "global", True),
    # Before Python 3.13 such a function's own names are not read, see locals.py.
    "asks_for_locals": ("container", "closure kept of record", "kept", "closure", True) if sys.version_info < (3, 13)
    else ("container", "train() local kept", "kept", "local", True),
    "kept_by_package": ("container", "fit() local outputs", "outputs", "local", False),
    "run_by_exec": ("container", "__main__ (exec).kept", "kept", "global", False),
    "hostile_classes": ("container", "__main__.kept", "kept", "global", True),
}

GENERATORS = {"held_by_generator": 8}  # the line that writes

# Nothing of a group's needs to grow where what is kept are no tensors, or where a slot holds one at a time.
NO_TENSORS = {"plain_numbers", "growing_text", "growing_array", "hook_every_step"}


class Holders(unittest.TestCase):
    def check(self, name, kind, path, scope_name, scope_kind, written):
        answer = driver.run(name)
        text = driver.show(answer)
        self.assertTrue(answer["complete"], text)
        found = [holder for holder in answer["holders"] if holder["path"] == path and holder["kind"] == kind]
        self.assertEqual(len(found), 1, text)
        holder = found[0]
        self.assertEqual((holder["scope"]["name"], holder["scope"]["kind"]), (scope_name, scope_kind), text)
        if holder["length"]:
            self.assertTrue(all(a < b for a, b in zip(holder["length"], holder["length"][1:])), text)
        if written:
            places = [(write["frames"][0]["file"].rpartition("/")[2], write["frames"][0]["line"])
                      for write in holder["writes"]]
            for line in driver.marked_lines(name)[:1]:
                # Python 3.14 shows what a generator writes there, and not only who sends to it.
                inside = GENERATORS.get(name) if sys.version_info >= (3, 14) else None
                self.assertIn((name + ".py", inside or line), places, text)
        if name not in NO_TENSORS:
            self.assertTrue(any(holder["id"] in group["holders"] for group in answer["groups"]), text)
        for group in answer["groups"]:
            for figures in (group["count"], group["bytes"], group["graph_nodes"], group["graph_bytes"]):
                self.assertEqual(len(figures), len(answer["censuses"]), text)

    def test_state_of_optimizers_that_are_kept(self):
        answer = driver.run("kept_trials", at=14, period=6)
        first = {answer["holders"][group["holders"][0]]["path"] for group in answer["groups"]}
        self.assertEqual(first, {"__main__.study.trials"}, driver.show(answer))


def _add(name, expected):
    setattr(Holders, "test_" + name, lambda self: self.check(name, *expected))


for _name, _expected in LEAKS.items():
    _add(_name, _expected)


if __name__ == "__main__":
    unittest.main()
