package search

import (
	"context"

	"sonde/model"
)

// observer reports what one copy of the service covers. It must be used by one goroutine at a time.
type observer interface {
	// begin forgets the scores so far. It is called when a test begins.
	begin(ctx context.Context) error
	// reached returns the scores of the wanted targets since begin.
	reached(ctx context.Context) ([]model.Score, error)
	// settled is like reached, but first waits until the service is quiet, for a limited time. It is
	// called at the end of a test.
	settled(ctx context.Context) ([]model.Score, error)
	// lateScores returns the scores of targets that have improved since settled.
	lateScores(ctx context.Context) ([]model.Score, error)
	// ignoreActivity makes lateScores ignore what the service has done since the last reading. It is
	// called after requests that belong to no test.
	ignoreActivity()
	// setWanted sets whether a target is reported, at the latest from the next begin on. The target is given by
	// its index and its ID.
	setWanted(target int, id string, want bool)
	close()
}

// operandObserver is implemented by an observer that also reports the operands that the service's predicates
// compared.
type operandObserver interface {
	compared() []model.ComparedOperands
}
