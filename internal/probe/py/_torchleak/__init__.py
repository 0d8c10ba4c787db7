"""The torchleak probe: counts steps and memory inside a training process.

Only the standard library is used, torch is never imported from here, and nothing
that goes wrong in here may reach the training.
"""
