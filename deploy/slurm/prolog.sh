#!/bin/sh
# Slurm's Prolog (slurm.conf: Prolog=/etc/slurm/torchleak-prolog.sh): starts an agent for the job's user on each of its nodes, one
# for all jobs of the user there. It sends the metrics of the trainings to the address that the file below gives:
#   TORCHLEAK_REMOTE_WRITE=http://prometheus:9090/api/v1/write
# It belongs to the user, so it reads what the user may read. Nothing that fails here keeps a job from starting.
settings=${TORCHLEAK_SLURM_ENV:-/etc/torchleak/slurm.env}
[ -f "$settings" ] || exit 0
# shellcheck source=/dev/null
. "$settings"
agent=${TORCHLEAK_RUN:-/run/torchleak}/$SLURM_JOB_UID
mkdir -p "$agent.jobs" || exit 0
exec 9>"$agent.lock"
flock 9
: >"$agent.jobs/$SLURM_JOB_ID"
[ -s "$agent.pid" ] && kill -0 "$(cat "$agent.pid")" 2>/dev/null && exit 0

# Slurm kills the prolog's process group when it ends: the agent's own session has begun once its number is there.
rm -f "$agent.pid"
# shellcheck disable=SC2016
setsid sh -c 'echo $$ >"$0.pid"; exec runuser -u "$1" -- torchleak watch --quiet --listen 127.0.0.1:0 --remote-write "$2"' \
    "$agent" "$SLURM_JOB_USER" "$TORCHLEAK_REMOTE_WRITE" </dev/null >"$agent.log" 2>&1 9>&- &
tries=0
until [ -s "$agent.pid" ] || [ $((tries += 1)) -gt 50 ]; do sleep 0.1; done
exit 0
