// Package search runs one search: a plan goes in, events and snapshots come out. It is not the search
// algorithm, which is package mio, and it knows no files: what is written to disk goes to a Sink.
//
// # Life of a run
//
// New checks the plan and makes the parts; no test has been sent then. Start begins the
// run, which goes through these phases, all on the goroutine of the scheduler:
//
//	start     start the service, if the plan says how; ask drivers for their targets
//	explore   ask the search for tests, play them, judge them
//	check     shorten the tests of faults, play follow-up tests, repeat each fault
//	minimise  play the kept tests again, or prove them without a reset; make them smaller
//	finish    give each fault a verdict or a reason for none; write all that was kept
//
// What checking and minimising leave of their share of the budget goes back to explore.
// A run ends when its budget is used up, after Stop, when its context ends, or by an error
// after which it cannot continue: the service cannot be reached, nearly all first calls were
// refused, or the sink failed. While it runs, a person may pause it, play single steps and
// apply commands; they take effect between two tests. Snapshot may be called at any time.
//
// # Who owns what
//
// A run has four main parts and their helpers. Each file is named for the type in it.
//
//	scheduler     phases, pauses and the order of tests; why the run ends
//	  proposer    which test is next: the search, sweeps, reductions, tests with other hosts
//	  workQueue   the tests that are being played, in the order in which they were asked for
//	  workerPool  the workers and the budget; a worker has one copy of the service
//	  worker      the client, the quota of the current test, tracker, user monitor, network
//	  controls    the commands of a person: tuning, weights, stubs, tests to try first
//	judge         what an outcome means: scores and faults
//	  faultIndex  the faults found so far
//	  targetIndex the targets outside the service's source
//	  statistics  counts of answers; history, what a run without a reset remembers
//	  codeTracker what is covered of the service's source, seen by probes or by a driver
//	archive       which tests are kept, and for what
//	  journal     events, and what is written to disk during the run
//	reducer       makes the kept tests smaller; prover, whether they hold without a reset
//	  faultChecker shortens the tests of faults and repeats them
//	  player      plays tests that the search did not ask for, for these two
//
// A part holds references to the parts that it calls and embeds none of them. It changes the
// state of another part only by calling its methods. A testbed is the pool, the judge and the
// code tracker of a plan. An Invoker and a ManualSession need no more than that.
//
// # Where to look
//
//	a request counts against the budget   quota.take in budget.go, called by the client
//	a test may begin                      workerPool.canStart in workerpool.go
//	an answer becomes a fault             judge.faultsOf in judge.go; the rules are in package oracle
//	a fault gets its verdict              faultChecker.verify in faultchecker.go
//	a tuning takes effect                 scheduler.gate and apply, then controls.apply
//	a test is kept                        scheduler.judgeTest; mio decides
//	a new way to propose tests            proposer.next in proposer.go
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
