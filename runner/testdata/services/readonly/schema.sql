CREATE TABLE authors (id INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL, active BOOLEAN NOT NULL DEFAULT 1);

CREATE TABLE books (
	isbn TEXT PRIMARY KEY,
	title TEXT NOT NULL,
	author INTEGER NOT NULL REFERENCES authors (id),
	pages INTEGER NOT NULL CHECK (pages > 0),
	state TEXT NOT NULL DEFAULT 'shelf' CHECK (state IN ('shelf', 'lent', 'lost'))
);

CREATE TABLE members (
	card INTEGER PRIMARY KEY,
	name TEXT NOT NULL,
	level TEXT NOT NULL CHECK (level IN ('basic', 'silver', 'gold')),
	blocked BOOLEAN NOT NULL DEFAULT 0
);

CREATE TABLE loans (
	book TEXT NOT NULL REFERENCES books,
	member INTEGER NOT NULL REFERENCES members (card),
	due DATE NOT NULL,
	returned DATE,
	PRIMARY KEY (book, member, due)
) WITHOUT ROWID;
