#!/usr/bin/env bash
# Healthy when /ready answers 200. The image has no HTTP client but node, which would cost 40 MB every few seconds. Where
# the internal port speaks TLS, the one after it tells this machine the same in clear.
set -euo pipefail
port=${INTERNAL_PORT:-9000}
[ -z "${INTERNAL_TLS_DIR:-}" ] || port=$((port + 1))
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /ready HTTP/1.0\r\n\r\n' >&3
read -r _ status _ <&3
[ "$status" = 200 ]
