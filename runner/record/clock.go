package record

import "time"

// clock tells the time as it was when it began and what has passed since, so that
// nothing comes into disorder where the machine's clock is set meanwhile.
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

// of is a time of the machine's as the clock tells it.
func (c clock) of(t time.Time) time.Time { return c.base.Round(0).Add(t.Sub(c.base)) }
