#!/bin/sh
# Slurm's Epilog (slurm.conf: Epilog=/etc/slurm/torchleak-epilog.sh): ends the agent that the prolog has started, when no other job of
# the user is left here. It sends the last series first, for five seconds at most.
agent=${TORCHLEAK_RUN:-/run/torchleak}/$SLURM_JOB_UID
[ -f "$agent.jobs/$SLURM_JOB_ID" ] || exit 0
exec 9>"$agent.lock"
flock 9
rm -f "$agent.jobs/$SLURM_JOB_ID"
rmdir "$agent.jobs" 2>/dev/null || exit 0
kill -TERM "-$(cat "$agent.pid")" 2>/dev/null
rm -f "$agent.pid" "$agent.log"
exit 0
