"""Looks at a few steps of a training in full, as torchleak profile asks: every operator, and the memory it makes."""

import json
import os

from _torchleak import guard, wake

VARIABLE = "TORCHLEAK_PROFILE"


@guard.guarded
def begin():
    """Takes up the plan that the environment names: {"warmup": steps before, "steps": steps to look at}."""
    with open(os.environ[VARIABLE], encoding="utf-8") as file:
        plan = json.load(file)
    install = wake.finder.callbacks["torch"]

    def begin_with(torch):
        from _torchleak import probe
        from _torchleak.profile.window import Window

        install(torch)
        probe.probe.listen(Window(plan["warmup"], plan["steps"]))

    wake.finder.callbacks["torch"] = begin_with
