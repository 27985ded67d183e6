#!/bin/sh
# Makes the labelled pairs and trains the network that the library carries (src/gmn/weights/network.safetensors).
#
#   scripts/train_network.sh BUILD DATA [FOLDER]
#
# BUILD: a build folder with benchmarks; DATA: the development data; FOLDER: where the pairs and the checkpoint are kept,
# BUILD/network by default. Started again, it goes on where it was interrupted. On two cores it takes about half an hour.
set -eu

if [ $# -lt 2 ]; then
  echo "usage: scripts/train_network.sh BUILD DATA [FOLDER]" >&2
  exit 2
fi
build=$1
data=$2
folder=${3:-$build/network}
source=$(dirname "$0")/..

mkdir -p "$folder"
if [ ! -e "$folder/pairs.jsonl" ]; then
  "$build/tests/bench/trustsql_bench_labelled_pairs" "$data" "$folder/pairs.unfinished"
  mv "$folder/pairs.unfinished" "$folder/pairs.jsonl"
fi
"$build/tests/bench/trustsql_bench_gmn" "$data" "$folder/pairs.jsonl" --checkpoint "$folder/training.checkpoint" \
  --save "$source/src/gmn/weights/network.safetensors"
