#!/bin/sh
# Run once by PostgreSQL's image, on an empty database: an owner that is no superuser, and a database of its own.
set -eu
psql --username "${POSTGRES_USER:-postgres}" --dbname postgres --set ON_ERROR_STOP=1 \
  --set password="$(cat "${POSTGRES_PASSWORD_FILE:-/run/secrets/database-password}")" <<'SQL'
CREATE ROLE house LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE house OWNER house ENCODING 'UTF8' TEMPLATE template0;
SQL
