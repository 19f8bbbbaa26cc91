// Package campaign distributes the work of one command over many processes and machines, by NATS with JetStream.
//
// A campaign is divided into units, such as the runs of a study. A coordinator publishes units and gathers their results.
// Workers take units, one at a time for each of their jobs, do them, and publish the results. Which work that is, the package
// does not know: a unit and its result are JSON.
//
//	coordinator ── units ──► stream sonde_work ──► workers
//	     ▲                                           │
//	     ├── results ◄── stream sonde_results ◄──────┤
//	     └── reasons ◄── stream sonde_dead ◄─────────┘ units that failed again and again
//
//	bucket sonde_campaigns   what each campaign is, how far it is, and that its coordinator lives
//	bucket sonde_workers     what each worker is and does, each second
//	bucket sonde_board       what the units of a campaign tell each other, and how far they are
//	objects sonde_inputs     files that units need, by their hash
//
// # What holds when processes die
//
// A unit leaves sonde_work only after its result, or why it has none, is stored. A worker that vanishes therefore only delays
// its units, by ackWait: then another worker gets them. A unit may thus be done twice; the coordinator
// handles the first result of each unit. A unit that fails is tried maxTries times, then it becomes a dead letter.
// Later tries have processes of their own, so that a unit that ends its worker cannot end them all. A unit also becomes a
// dead letter if it was given out maxDeliveries times to workers that vanished. A unit that its worker may not do goes
// back to the queue as if it had not been tried.
//
// A coordinator that ends before its campaign has lost nothing: another one with the campaign's ID reads the results so far
// and publishes the units that are missing. The second of two coordinators at once is refused.
//
// No rule depends on the clocks of machines: who is alive is decided by how long ago, by the observer's own clock, the last
// sign of life arrived.
package campaign
