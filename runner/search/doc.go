// Package search runs one search: a plan goes in, events and snapshots come out. The search algorithm is
// in package mio. The package writes no files: it passes what is to be saved to a Sink.
//
// # Life of a run
//
// New checks the plan and makes the parts. It plays no test. Start begins the run, which goes through these phases,
// all on the goroutine of the scheduler:
//
//	start     start the service, if the plan says how; ask drivers for their targets
//	explore   ask the search for tests, play them, judge them
//	security  play security tests and repeat their faults, if the plan has them
//	check     shorten the tests of faults, play follow-up tests, repeat each fault
//	minimise  play the kept tests again, or prove them without a reset; make them smaller
//	last      play the operations that may end a user who cannot be restored
//	finish    note why each fault without a verdict has none; write all that was kept
//
// If checking and minimising do not use up their shares of the budget, exploring gets the rest. A run ends
// when its budget is used up, after Stop, when its context ends, or by an error after which it cannot
// continue, such as: the service cannot be reached, nearly all first calls were refused, or the sink failed. A
// user may pause a run, play single tests and apply commands. These requests take effect between two tests.
// Snapshot may be called at any time.
//
// # Who owns what
//
// A run has these main parts; the indented ones help them. A file usually has the name of its main type. Some files
// have functions for one task instead, such as callerrors.go, excerpt.go, island.go, lastoperations.go,
// paralleltasks.go, playtests.go, publishing.go, readdocuments.go, resume.go, startupcontacts.go, steering.go,
// testparts.go and warnings.go. In securityaccess.go, the securityTester makes its tests about access.
//
//	scheduler        phases, pauses and the order of tests; why the run ends
//	  proposer       which test is next: the search, sweeps, reductions, tests with other hosts
//	  workQueue      the tests that are being played, in the order in which they were asked for
//	  workerPool     the workers and the budget; a worker has one copy of the service
//	  worker         the client, the quota of the current test, tracker, user monitor, account guard, network
//	  commandApplier the commands of the user: tuning, weights, stubs, tests to try first
//	judge            what an outcome means: scores and faults
//	  faultIndex     the faults found so far
//	  targetIndex    the targets outside the service's source
//	  statistics     counts of answers
//	  history        what a run without a reset remembers of all calls
//	archive          which tests are kept, and for what
//	  journal        events, and what is written to disk during the run
//	reducer          makes the kept tests smaller
//	  prover         finds out whether a kept test depends on earlier tests, without a reset
//	faultChecker     shortens the tests of faults and repeats them
//	player           plays tests that the search did not ask for, for the reducer and the fault checker
//	task             a sequence of tests of a player, such as the attempts to make one test smaller: each test
//	                 depends on those before it; each worker plays the tests of one task at a time
//	securityTester   plays kept calls as other users and with probes in their values
//	startupSearch    before the run: which answers of hosts let the service become ready
//
// A run may be an island: one of several runs that share a budget and exchange tests. It only explores; see Island.
//
// A part holds references to the parts that it calls and embeds none of them. It changes the state of
// another part by calling its methods. A testbed is the worker pool, the judge and the code tracker
// of a plan. An Invoker and a ManualSession need only a testbed.
//
// # Coverage of the source
//
// Five types deal with the service's source, from one copy of the service to the whole run:
//
//	observer         reads what one copy has covered: a probeObserver from the memory that probes
//	                 share with Sonde, a driverObserver by requests to a driver
//	tracker          asks the observer of one worker before, during and after each test, and
//	                 collects the results as the testCoverage of that test
//	codeTracker      connects the trackers of all workers with the search: which code targets there
//	                 are, and what happens if a driver or the probes fail
//	codeCoverage     the code targets of a run, and which of them are covered
//	codeReach        how near the run came to each of them, by file, for the screens
//
// A large service has more code targets than a search can try, and most of them depend on no request. The search
// therefore does two things. problem.delay puts off targets for which the service compared no value of a test.
// proposer.attemptShare gives attempts more of the requests while attempts reach more than mutations do.
//
// # Where to look
//
//	a request counts against the budget   quota.take in budget.go; newWorker passes it to the client
//	                                      as Options.TakeBudget, and takeLogin as TakeLoginBudget
//	a test may begin                      workerPool.canStart in workerpool.go, which also checks the limit of
//	                                      time; a call in progress ends at budget.deadline
//	coverage is read after a test         tracker.end, then probeObserver.settled or
//	                                      driverObserver.settled
//	an answer becomes a fault             judge.faultsOf in judge.go; the rules are in package oracle
//	a finding gets its texts              each rule in package oracle; faultIndex.find copies them
//	two findings are one fault            faultIndex.record in faultindex.go, if their signatures are equal;
//	                                      wordings.firstSignature in oracle/wording.go gives server errors
//	                                      with similar messages the same signature
//	a fault is shown                      archive.record, before it is checked
//	a fault gets its verdict              later, by faultChecker.verify in faultchecker.go or, without a
//	                                      reset, by proveFault and confirmFaults
//	several workers minimise tests        reducer.each, by player.doAll in paralleltasks.go, which has the
//	at the same time                      order of their turns; faultChecker uses doAll, too. Without a reset
//	                                      the tests are played one after the other
//	a command takes effect                scheduler.prepareTest, then commandApplier.apply
//	a test is kept                        scheduler.judgeTest; mio decides
//	a new way to propose tests            proposer.next in proposer.go, or a kind in testkind.go
//	an operation without a 2xx            attempter.next in package individual, which testKinds calls by
//	is tried again                        Problem.Attempt; after a 401 or 403 also proposer.noteAccess
//	what a kill loses                     the changes of the last second, and for traffic and coverage the
//	                                      changes of the last ten seconds: journal.go and publishing.go
//	a killed run is resumed               Settings.ResumeFrom in ui/app/searchrun makes the
//	                                      model.ResumeState; newScheduler restores the budget, and
//	                                      scheduler.resume in resume.go the rest
//
// # Goroutines
//
// The scheduler's goroutine owns every part. With several workers, each plays its test on a goroutine of
// the workQueue. The scheduler receives the results in the order in which it asked for the tests, so that
// the same seed gives the same suite however fast the workers are. Tasks are coroutines of the scheduler's goroutine,
// and only their tests have goroutines. A single worker plays on the scheduler's goroutine. All goroutines end with
// the context of Start. The methods of Run only use the request queue, which has a lock, and the last snapshot,
// which is replaced as a whole and never changed.
package search
