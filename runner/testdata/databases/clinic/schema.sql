CREATE TYPE visit_state AS ENUM ('planned', 'done', 'missed');

CREATE DOMAIN amount AS numeric(8, 2) CHECK (VALUE >= 0);

CREATE TABLE doctors (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name varchar(20) NOT NULL,
	active boolean NOT NULL DEFAULT false
);

CREATE TABLE patients (
	id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	name text NOT NULL,
	born date NOT NULL,
	level text NOT NULL CHECK (level IN ('basic', 'plus', 'gold')),
	blocked boolean NOT NULL DEFAULT false,
	settings jsonb NOT NULL
);

CREATE TABLE drugs (
	code varchar(12) PRIMARY KEY,
	title text NOT NULL,
	price amount NOT NULL,
	state text NOT NULL DEFAULT 'sold' CHECK (state IN ('sold', 'withdrawn')),
	labels text[] NOT NULL
);

CREATE TABLE visits (
	id serial PRIMARY KEY,
	doctor bigint NOT NULL REFERENCES doctors,
	patient uuid NOT NULL REFERENCES patients (id),
	at timestamptz NOT NULL,
	fee amount NOT NULL,
	state visit_state NOT NULL,
	paid timestamptz
);
