#!/usr/bin/env bash
# Healthy when /ready answers 200. The image has no HTTP client but node, which would need 40 MB every few seconds. If
# the internal port uses TLS, the next port answers the same without TLS, on this machine only.
set -euo pipefail
port=${INTERNAL_PORT:-9000}
[ -z "${INTERNAL_TLS_DIR:-}" ] || port=$((port + 1))
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /ready HTTP/1.0\r\n\r\n' >&3
read -r _ status _ <&3
[ "$status" = 200 ]
