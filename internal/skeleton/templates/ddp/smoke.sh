#!/bin/sh
# Fails when memory of any process grows. Flags of torchleak smoke may follow, as --junit report.xml.
set -eu
cd "$(dirname "$0")"
exec torchleak smoke "$@" -- "${PYTHON:-python3}" -m torch.distributed.run --standalone --nproc_per_node "${PROCESSES:-2}" train.py
