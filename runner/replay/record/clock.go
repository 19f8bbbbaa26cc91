package record

import "time"

// clock returns its creation time plus the time that has passed since, so that the order is kept if
// the machine's clock is set.
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
