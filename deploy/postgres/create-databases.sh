#!/usr/bin/env bash
# Runs when the cluster is made, and after an upgrade that brings a new service: a database and a role per service. The
# role owns its database and has no other rights, and no other role can connect to it. What is there stays as it is.
set -euo pipefail

create() { # service, password
  local name="gateway_${1//-/_}"
  local known="select 1 from pg_roles where rolname = '$name'"
  [ -z "$(psql -qAt -U "${POSTGRES_USER:-postgres}" -d postgres -c "$known")" ] || return 0
  psql -q -v ON_ERROR_STOP=1 -v name="$name" -v password="$2" -U "${POSTGRES_USER:-postgres}" -d postgres <<'SQL'
create role :"name" login nosuperuser nocreatedb nocreaterole noreplication nobypassrls connection limit 60
  password :'password';
create database :"name" owner :"name";
revoke all on database :"name" from public;
SQL
}

create api-gateway "$DATABASE_PASSWORD_API_GATEWAY"
create compat "$DATABASE_PASSWORD_COMPAT"
create deposits "$DATABASE_PASSWORD_DEPOSITS"
create identity "$DATABASE_PASSWORD_IDENTITY"
create ledger "$DATABASE_PASSWORD_LEDGER"
create payouts "$DATABASE_PASSWORD_PAYOUTS"
create psp-simulator "$DATABASE_PASSWORD_PSP_SIMULATOR"
create reconciler "$DATABASE_PASSWORD_RECONCILER"
create webhooks "$DATABASE_PASSWORD_WEBHOOKS"
psql -q -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d postgres -c 'revoke connect on database postgres, template1 from public'
