"""Runs a target with other code than its files hold, as an experiment asks: torchleak bisect and verify.

Nothing is written into the target's folders: the code is changed on its way from the file to the interpreter,
under the file's own name and with its own line numbers.
"""

import json
import os
import random

from _torchleak import guard, wake

VARIABLE = "TORCHLEAK_EXPERIMENT"
_PLENTY_NS = 3600 * 10**9


@guard.guarded
def begin():
    """Takes up the experiment that the environment names. May start the interpreter anew, see script.py."""
    with open(os.environ[VARIABLE], encoding="utf-8") as file:
        plan = json.load(file)
    from _torchleak.experiment.sources import Sources
    from _torchleak.experiment.switches import Switches

    switches = Switches(plan, wake.run_dir) if plan.get("list") or plan.get("off") else None
    sources = Sources(plan.get("sources") or {}, switches, wake.run_dir)
    sources.apply()
    _when_torch_comes(bool(plan.get("numbers")))
    from _torchleak.experiment import script

    script.start(sources)


def _when_torch_comes(numbers):
    """An experiment may cost what a watched training may not: the heap is read in every step, and where losses are
    compared, they are written down. Then trainings that set no seed must make the same numbers twice."""
    install = wake.finder.callbacks["torch"]

    def begin_with(torch):
        from _torchleak.backends import cpu

        cpu._CREDIT_NS = _PLENTY_NS
        install(torch)
        if numbers:
            from _torchleak.experiment.numbers import Numbers

            Numbers(torch, wake.run_dir).start()

    wake.finder.callbacks["torch"] = begin_with
    if numbers:
        random.seed(0)
        wake.finder.callbacks["numpy"] = lambda numpy: numpy.random.seed(0)
