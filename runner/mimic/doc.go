// Package mimic makes tests of a recording, after RICK ("Mimicking Production Behavior
// with Generated Mocks", section 3.3.3): each repeats one exchange with the outside
// world replaced by stubs, and says what three oracles want of it. It also learns from
// replays what changes by itself, and reports how well the tests mimic (the paper's
// Tables 3 to 5). It reads no file and calls nobody.
package mimic
