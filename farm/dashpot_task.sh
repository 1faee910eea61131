#!/bin/bash
# One scene on any farm, without a licence: farm/dashpot_task.sh scene.toml out/shot.\$F4.bgeo.sc [threads]
# The same line again goes on after a kill; a farm that restarts failed tasks needs nothing else.
set -u
exec "${DASHPOT:-dashpot}" simulate "$1" --out "$2" --threads "${3:-4}" --resume --checkpoint-every 10 --progress alf
