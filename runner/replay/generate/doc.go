// Package generate makes tests from a recording, after RICK ("Mimicking Production Behavior with
// Generated Mocks", section 3.3.3). Each test repeats one exchange, replaces the outward calls by
// stubs, and asserts what three oracles expect: the output oracle (OO), the parameter oracle (PO)
// and the call oracle (CO). The package also loosens assertions on values that vary between
// replays, and reports how well the tests mimic the recording (the paper's Tables 3 to 5). It reads
// no files and calls no hosts.
package generate
