package model

import "testing"

// A journal returns the latest events, however many there are, and earlier results do not change.
func TestJournalIsBounded(t *testing.T) {
	var j Journal
	var early []LogEntry
	const events = 5*MaxJournalEntries + 7
	for i := range events {
		if i == 100 {
			early, _ = j.Entries()
		}
		j.Add(LogEntry{Call: i})
	}
	all, gone := j.Entries()
	if len(all) != MaxJournalEntries || gone != events-MaxJournalEntries || all[0].Call != gone || all[len(all)-1].Call != events-1 {
		t.Errorf("%d events from %d on, %d before", len(all), all[0].Call, gone)
	}
	if len(early) != 100 || early[99].Call != 99 {
		t.Errorf("an earlier snapshot changed: %d events", len(early))
	}
	if len(j.all) > 2*MaxJournalEntries {
		t.Errorf("%d events are kept", len(j.all))
	}
}
