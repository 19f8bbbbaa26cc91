// Package campaign distributes the work of one command over many processes and machines, by NATS with JetStream.
//
// A campaign is divided into units, such as the runs of a study. A coordinator publishes units and gathers their
// results. Workers take units, do them, and publish the results; each job of a worker does one unit at a time. The
// contents of a unit and of a result are JSON, which this package does not interpret.
//
//	coordinator ── units ──► stream sonde_work ──► workers
//	     ▲                                           │
//	     ├── results ◄── stream sonde_results ◄──────┤
//	     └── reasons ◄── stream sonde_dead ◄─────────┘ units that failed again and again
//
//	bucket sonde_campaigns   description, progress and coordinator of each campaign, with a sign of life
//	bucket sonde_workers     what each worker is and does, written each second
//	bucket sonde_board       values that the units of a campaign exchange, and their progress
//	objects sonde_inputs     files that units need, by their hash, and results that are too large for messages
//
// # When processes end
//
// The server removes a unit from sonde_work only when the result of the unit, or the reason why there is none, is
// stored. If a worker vanishes, its units are only delayed: after ackWait, another worker gets them. A unit may thus
// be done twice; the coordinator handles the first result of each unit.
//
// A unit that fails is tried maxTries times, then it becomes a dead letter. Each try after the first has a process of
// its own, so that a unit that ends its process does not end the worker again. A unit also becomes a dead letter if
// it was given maxDeliveries times to workers that vanished. If a worker may not do a unit, the unit goes back to the
// queue as if it had not been tried.
//
// If a coordinator ends before its campaign, nothing is lost: another coordinator with the campaign's ID reads the
// results so far and publishes the units that are missing. While a campaign has a coordinator, a second one gets an
// error.
//
// No rule compares the clocks of machines. An observer measures the time since the last sign of life arrived, by its
// own clock, and decides by this time who is alive.
package campaign
