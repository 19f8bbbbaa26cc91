package sondeprobe

import (
	"testing"
	"time"
)

// time.Parse accepts the SampleTime of each layout.
func TestMoment(t *testing.T) {
	for _, layout := range []string{
		time.RFC3339, time.RFC3339Nano, time.DateOnly, time.ANSIC, time.RFC1123Z, time.Kitchen, time.Stamp,
		"20060102T150405Z0700", "15:04Z07", "15h Z07:00:00", "2006-01-02T15:04:05Z", "",
	} {
		if _, err := time.Parse(layout, SampleTime(layout)); err != nil {
			t.Errorf("%q: %v", layout, err)
		}
	}
}
