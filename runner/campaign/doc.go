// Package campaign distributes the work of one command over many processes and machines, by NATS with JetStream.
//
// A campaign is divided into units, such as the runs of a study. A coordinator publishes units and gathers their results.
// Workers take units, one at a time for each of their jobs, do them, and publish the results. The package does not know
// what the work is: a unit and its result are JSON.
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
// A unit leaves sonde_work only when its result, or the reason why it has none, is stored. If a worker vanishes, its units
// are therefore only delayed: after ackWait, another worker gets them. A unit may thus be done twice; the coordinator
// handles the first result of each unit. A unit that fails is tried maxTries times, then it becomes a dead letter.
// Later tries have processes of their own, so that a unit that ends its process does not end a worker each time. A unit
// also becomes a dead letter if it was given maxDeliveries times to workers that vanished. If a worker may not do a unit,
// the unit goes back to the queue as if it had not been tried.
//
// If a coordinator ends before its campaign, nothing is lost: another coordinator with the campaign's ID reads the results
// so far and publishes the units that are missing. While a campaign has a coordinator, a second one is refused.
//
// No rule compares the clocks of machines. An observer decides who is alive by the time since the last sign of life
// arrived, measured with the observer's own clock.
package campaign
