// Package search is one run of the search: a plan goes in, events and snapshots come out.
//
// # Life of a run
//
// New checks the plan and makes the parts; no test has been sent then. Start begins the
// run, which goes through these phases, all on the goroutine of the scheduler:
//
//	start     start the service, where the plan says how; ask drivers for their targets
//	explore   ask the search for tests, play them, judge them
//	check     shorten the tests of faults, play follow-up tests, repeat each fault
//	minimise  play the kept tests again, or prove them without a reset; make them smaller
//	finish    give each fault a verdict or a reason for none; write all that was kept
//
// What checking and minimising leave of their share of the budget goes back to explore.
// A run ends when its budget is used up, after Stop, when its context ends, or by an error
// that leaves no other way: the service cannot be reached, nearly all first calls were
// refused, or the sink failed. While it runs, a person may pause it, play single steps and
// apply commands; they take effect between two tests. Snapshot may be called at any time.
//
// # Who owns what
//
//	scheduler    phases, pauses and the order of tests; what is known of the run's end
//	workQueue    the tests that are being played, in the order in which they were asked for
//	workerPool   the workers and the budget; a worker has one copy of the service
//	worker       the client, the quota of the current test, tracker, user monitor, network
//	proposer     which test is next: the search, sweeps, reductions, tests with other hosts
//	judge        what an outcome means: scores, faults, statistics, history without a reset
//	codeTracker  what is covered of the service's source, seen by probes or by a driver
//	archive      which tests are kept, and for what
//	journal      events, and what is written to disk as it happens
//	controls     what a person changes: tuning, weights, stubs, tests to try first
//	faultChecker whether faults can be reproduced, with as few calls as possible
//	reducer      the kept tests, smaller; prover, whether they hold without a reset
//
// A part holds references to the parts that it calls and embeds none of them. A testbed is
// the pool, the judge and the code tracker of a plan. An Invoker and a ManualSession need no
// more than that.
//
// # Goroutines
//
// The scheduler's goroutine owns every part. With several workers, each plays its test on a
// goroutine of the workQueue; the scheduler takes the results in the order in which it asked
// for the tests, so that the same seed gives the same suite however fast the workers are.
// One worker plays on the scheduler's goroutine. All of them end with the context of Start.
// Methods of Run only touch the request queue, which has a lock, and the last snapshot, which
// is replaced as a whole and never changed.
package search
