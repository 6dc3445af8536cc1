#!/bin/sh
# Installs Node.js 24 beside the project, locked and without running any script, and prints the folder to
# put first on PATH:  PATH="$(tools/node/use.sh):$PATH"
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=$here/node_modules/.bin
wanted=v24.21.0
if [ "$("$bin/node" --version 2>/dev/null || true)" != "$wanted" ]; then
  (cd "$here" && npm ci --ignore-scripts --no-audit --no-fund >&2)
fi
if [ "$("$bin/node" --version 2>/dev/null || true)" != "$wanted" ]; then
  echo "No Node.js $wanted for this machine ($(uname -sm)): install it some other way." >&2
  exit 1
fi
echo "$bin"
