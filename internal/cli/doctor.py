"""What torchleak needs to know of an interpreter; prints one JSON object."""
import ctypes
import json
import sys

facts = {"python": sys.version.split()[0], "executable": sys.executable, "torch": "", "torch_error": "",
         "heap": "", "devices": []}
try:
    import torch

    facts["torch"] = str(torch.__version__)
    for kind in ("cuda", "xpu"):
        module = getattr(torch, kind, None)
        if module is not None and module.is_available():
            facts["devices"] += ["%s:%d %s" % (kind, i, module.get_device_name(i)) for i in range(module.device_count())]
    mps = getattr(torch.backends, "mps", None)
    if mps is not None and mps.is_available():
        facts["devices"].append("mps")
except Exception as e:  # whatever a broken installation raises is what the user must see
    facts["torch_error"] = "%s: %s" % (type(e).__name__, e)
try:
    libc = ctypes.CDLL(None)
    facts["heap"] = next((n for n in ("mallinfo2", "mallinfo") if hasattr(libc, n)), "")
except OSError:
    pass
print(json.dumps(facts))
