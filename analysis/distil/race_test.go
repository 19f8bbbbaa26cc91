//go:build race

package distil_test

const raceEnabled = true
