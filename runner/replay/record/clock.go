package record

import "time"

// clock returns the time when it was created plus the time that has passed since, so that order is
// kept if the machine's clock is set.
type clock struct {
	base time.Time
	read func() time.Time // the machine's
}

func newClock(read func() time.Time) clock {
	if read == nil {
		read = time.Now
	}
	return clock{read(), read}
}

func (c clock) now() time.Time { return c.of(c.read()) }

// of converts a time of the machine's clock.
func (c clock) of(t time.Time) time.Time { return c.base.Round(0).Add(t.Sub(c.base)) }
