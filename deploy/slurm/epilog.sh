#!/bin/sh
# Slurm's Epilog (slurm.conf: Epilog=/etc/slurm/torchleak-epilog.sh): ends the agent that the prolog has started. It sends the
# last series first, for five seconds at most.
agent=${TORCHLEAK_RUN:-/run/torchleak}/$SLURM_JOB_ID
[ -f "$agent.pid" ] || exit 0
kill -TERM "-$(cat "$agent.pid")" 2>/dev/null
rm -f "$agent.pid" "$agent.log"
exit 0
