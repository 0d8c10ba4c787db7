"""Runs a target with other code than its files hold, as an experiment asks: torchleak bisect and verify.

Nothing is written into the target's folders: the code is changed on its way from the file to the interpreter,
under the file's own name and with its own line numbers.
"""

import json
import os
import random

from _torchleak import guard, wake

VARIABLE = "TORCHLEAK_EXPERIMENT"


@guard.guarded
def begin():
    """Takes up the experiment that the environment names. May start the interpreter anew, see script.py."""
    with open(os.environ[VARIABLE], encoding="utf-8") as file:
        plan = json.load(file)
    from _torchleak.experiment.sources import Sources
    from _torchleak.experiment.switches import Switches

    run_dir = os.environ["TORCHLEAK_DIR"]
    switches = Switches(plan, run_dir) if plan.get("list") or plan.get("off") else None
    sources = Sources(plan.get("sources") or {}, switches, run_dir)
    sources.apply()
    if plan.get("numbers"):
        _seed()
    from _torchleak.experiment import script

    script.start(sources)


def _seed():
    """Trainings that set no seed must make the same numbers twice. The losses are written down once torch is there."""
    random.seed(0)
    install = wake.finder.callbacks["torch"]

    def both(torch):
        install(torch)
        from _torchleak.experiment.numbers import Numbers

        Numbers(torch, os.environ["TORCHLEAK_DIR"]).start()

    wake.finder.callbacks["torch"] = both
    wake.finder.callbacks["numpy"] = lambda numpy: numpy.random.seed(0)
