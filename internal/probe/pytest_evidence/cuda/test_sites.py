"""What only a CUDA device shows: allocation sites of the growth, and tensors on the device."""

import unittest

import driver


def lines_of(sites, name):
    """The lines of a training at which sites begin."""
    return [site["frames"][0]["line"] for site in sites if site["frames"][0]["file"].endswith(name)]


class Sites(unittest.TestCase):
    def test_the_line_that_allocates_what_stays(self):
        answer = driver.run("cuda_features", memory="cuda:0")
        text = driver.show(answer)
        self.assertTrue(answer["sites"], text)
        site = answer["sites"][0]
        self.assertEqual(lines_of([site], "cuda_features.py"), driver.marked_lines("cuda_features"), text)
        self.assertGreaterEqual(site["bytes"][1] - site["bytes"][0], 2 * 1024 * 512 * 4, text)
        self.assertFalse(answer["result"], "the history was left on")
        holder = answer["holders"][0]
        self.assertEqual((holder["path"], holder["kind"]), ("__main__.features", "container"), text)
        group = next(group for group in answer["groups"] if holder["id"] in group["holders"])
        self.assertEqual((group["device"], group["storage_bytes"]), ("cuda:0", 1024 * 512 * 4), text)

    def test_activations_that_only_the_graph_holds(self):
        answer = driver.run("cuda_evaluation", memory="cuda:0")
        text = driver.show(answer)
        grown = sum(site["bytes"][1] - site["bytes"][0] for site in answer["sites"])
        self.assertGreaterEqual(grown, 2 * 1024 * 512 * 4, text)
        self.assertTrue(set(lines_of(answer["sites"], "cuda_evaluation.py")) & set(
            driver.marked_lines("cuda_evaluation")), text)
        holder = next(holder for holder in answer["holders"] if holder["path"] == "__main__.validation")
        losses = next(group for group in answer["groups"]
                      if holder["id"] in group["holders"] and group["grad_fn"] == "NllLossBackward0")
        # The loss of the last training step is among them, and its graph is freed: close, not exact.
        more = losses["count"][2] - losses["count"][0]
        self.assertGreater(losses["graph_bytes"][2] - losses["graph_bytes"][0], 0.9 * more * 1024 * 512 * 4, text)


if __name__ == "__main__":
    unittest.main()
