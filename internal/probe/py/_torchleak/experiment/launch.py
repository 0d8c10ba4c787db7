"""Stands in front of a script on the command line."""

from _torchleak.experiment.script import run

run()
