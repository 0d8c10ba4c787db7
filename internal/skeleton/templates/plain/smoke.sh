#!/bin/sh
# Fails when memory grows. Flags of torchleak smoke may follow, as --junit report.xml.
set -eu
cd "$(dirname "$0")"
exec torchleak smoke "$@" -- "${PYTHON:-python3}" train.py
