#!/bin/sh
# Slurm's Prolog (slurm.conf: Prolog=/etc/slurm/torchleak-prolog.sh): starts an agent for the job's user on each of its nodes. It
# sends the metrics of the job's trainings to the address that the file below gives:
#   TORCHLEAK_REMOTE_WRITE=http://prometheus:9090/api/v1/write
# It belongs to the user, so it reads what the user may read. Nothing that fails here keeps a job from starting.
# shellcheck source=/dev/null
. "${TORCHLEAK_SLURM_ENV:-/etc/torchleak/slurm.env}" || exit 0
state=${TORCHLEAK_RUN:-/run/torchleak}
mkdir -p "$state" || exit 0

# Slurm kills the prolog's process group when it ends: the agent's own session has begun once its number is there.
# shellcheck disable=SC2016
setsid sh -c 'echo $$ >"$0.pid"; exec runuser -u "$1" -- torchleak watch --quiet --listen 127.0.0.1:0 --remote-write "$2"' \
    "$state/$SLURM_JOB_ID" "$SLURM_JOB_USER" "$TORCHLEAK_REMOTE_WRITE" </dev/null >"$state/$SLURM_JOB_ID.log" 2>&1 &
tries=0
until [ -s "$state/$SLURM_JOB_ID.pid" ] || [ $((tries += 1)) -gt 50 ]; do sleep 0.1; done
exit 0
