"""`torchleak.step()`: says where a step ends, when torchleak cannot know it by itself.

Does nothing when the program was not started by torchleak.
"""

import sys as _sys

__all__ = ["step"]


def step():
    """Ends a step here. From the first call on nothing else counts as one."""
    probe = _sys.modules.get("_torchleak.probe")
    if probe is not None:
        probe.manual_step()
