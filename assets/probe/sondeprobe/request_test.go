package sondeprobe

import "testing"

// tagged makes all goroutines work for the request with a tag, until the end of the test.
func tagged(t *testing.T, tag uint8) {
	RequestTag = func() uint8 { return tag }
	t.Cleanup(func() { RequestTag = nil })
}

// A hit has the tag of the first request that reached it. A goroutine that works for no request sets no hit, and does not
// remove one that is set meanwhile.
func TestHitByRequest(t *testing.T) {
	resetMemory()
	hitByRequest(1)
	tagged(t, 7)
	hitByRequest(2)
	tagged(t, 8)
	hitByRequest(2)
	RequestTag = func() uint8 { memory.hits[3] = 9; return 0 }
	hitByRequest(3)
	if got := [4]byte(memory.hits[:4]); got != [4]byte{0, 0, 7, 9} {
		t.Errorf("got %v, want 0 0 7 9", got)
	}
}

// An outcome has the tag of the first request for which it occurred. The predicate is watched until both outcomes
// have occurred.
func TestOutcomeByRequest(t *testing.T) {
	resetMemory()
	memory.open[0] = Open
	for _, step := range []struct {
		tag         uint8
		outcome     bool
		isTrue      uint64
		isFalse     uint64
		stillOpened bool
	}{
		{tag: 0, outcome: true, stillOpened: true},
		{tag: 5, outcome: true, isTrue: 5, stillOpened: true},
		{tag: 6, outcome: true, isTrue: 5, stillOpened: true},
		{tag: 0, outcome: false, isTrue: 5, stillOpened: true},
		{tag: 6, outcome: false, isTrue: 5, isFalse: 6},
	} {
		tagged(t, step.tag)
		setByRequest(0, step.outcome)
		if memory.slots[0] != step.isTrue || memory.slots[1] != step.isFalse || O(0) != step.stillOpened {
			t.Errorf("after %+v: slots %d and %d, open %t", step, memory.slots[0], memory.slots[1], O(0))
		}
	}
}

// A case has the tag of the first request that chose it. The switch is watched until all cases were chosen. A switch in a hot
// loop that no request runs is no longer watched after some time.
func TestCaseByRequest(t *testing.T) {
	resetMemory()
	memory.open[0] = Open
	cases := []string{"red", "green"}
	for _, step := range []struct {
		tag         uint8
		value       string
		red, green  uint64
		stillOpened bool
	}{
		{tag: 0, value: "red", stillOpened: true},
		{tag: 5, value: "green", green: 5, stillOpened: true},
		{tag: 6, value: "green", green: 5, stillOpened: true},
		{tag: 6, value: "blue", green: 5, stillOpened: true},
		{tag: 6, value: "red", red: 6, green: 5},
	} {
		tagged(t, step.tag)
		recordCaseByRequest(0, cases, step.value)
		if memory.slots[0] != step.red || memory.slots[1] != step.green || O(0) != step.stillOpened {
			t.Errorf("after %+v: slots %d and %d, open %t", step, memory.slots[0], memory.slots[1], O(0))
		}
	}
	tagged(t, 0)
	resetMemory()
	memory.open[0] = Open
	for range Patience {
		recordCaseByRequest(0, cases, "red")
	}
	if O(0) {
		t.Error("the switch is still watched")
	}
}
