package search

import (
	"context"

	"sonde/model"
)

// observer reports what one copy of the service covers. It is used by one goroutine.
type observer interface {
	// begin forgets everything reported so far; a test begins.
	begin(ctx context.Context) error
	// reached returns the scores since begin of the targets that are wanted.
	reached(ctx context.Context) ([]model.Score, error)
	// settled is reached after the end of a test. It waits, within a bound, until the service is
	// quiet.
	settled(ctx context.Context) ([]model.Score, error)
	// lateScores returns the scores of targets that improved after settled.
	lateScores(ctx context.Context) ([]model.Score, error)
	// ignoreActivity is called after calls that belong to no test.
	ignoreActivity()
	// setWanted sets whether a target, given by index and ID, is reported from the next begin on.
	setWanted(target int, id string, want bool)
	close()
}

// operandObserver is an observer that also reports the operands that predicates compared.
type operandObserver interface {
	compared() []model.ComparedOperands
}
