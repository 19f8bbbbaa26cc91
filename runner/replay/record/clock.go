package record

import "time"

// clock returns its creation time plus the time that has passed since. Its times are in order even
// if the machine's clock is set.
type clock struct {
	base    time.Time
	machine func() time.Time // reads the machine's clock
}

// newClock returns a clock. read is the machine's clock, nil for time.Now.
func newClock(read func() time.Time) clock {
	if read == nil {
		read = time.Now
	}
	return clock{read(), read}
}

func (c clock) now() time.Time { return c.of(c.machine()) }

// of converts t, a time of the machine's clock, to the time that c shows at that moment.
func (c clock) of(t time.Time) time.Time { return c.base.Round(0).Add(t.Sub(c.base)) }
