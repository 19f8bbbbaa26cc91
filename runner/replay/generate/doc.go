// Package generate makes tests of a recording, after RICK ("Mimicking Production Behavior with
// Generated Mocks", section 3.3.3). Each mimicking test repeats one exchange, with the hosts
// outside replaced by stubs, and states what three oracles expect: output (OO), parameter (PO) and
// call oracle (CO). The package also learns from replays which values change by themselves, and
// reports how well the tests mimic (the paper's Tables 3 to 5). It reads no files and calls no
// hosts.
package generate
