package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"sonde/model/config"

	"github.com/spf13/cobra"
)

// sending is how requests leave.
type sending struct {
	rate    float64       // a second at most; 0 is without limit
	timeout time.Duration // of a call; 0 is the usual
	trust
	credentials
}

func (s *sending) add(c *cobra.Command) {
	s.credentials.add(c)
	fl := c.Flags()
	fl.Float64Var(&s.rate, "rate", 0, "send at most so many requests a second, such as 20 or 0.5 (default: no limit)")
	fl.DurationVar(&s.timeout, "timeout", 0, "give up a call after so long (default 10s)")
	s.trust.add(c)
}

// check says what is wrong with the flags.
func (s *sending) check() error {
	switch {
	case !(s.rate >= 0) || math.IsInf(s.rate, 0):
		return fmt.Errorf("--rate is %v: give requests a second, such as 20 or 0.5, or 0 for no limit", s.rate)
	case s.timeout < 0:
		return fmt.Errorf("--timeout is %v: a call needs some time, such as 10s", s.timeout)
	}
	return nil
}

// configure takes from a configuration what no flag says.
func (s *sending) configure(set func(flag string) bool, c config.Config) {
	if !set("rate") {
		s.rate = c.Rate
	}
	if !set("timeout") {
		s.timeout = c.Timeout
	}
	s.trust.configure(set, c)
}

// flags are those that say the same.
func (s *sending) flags() []string {
	var all []string
	if s.rate > 0 {
		all = append(all, "--rate", strconv.FormatFloat(s.rate, 'g', -1, 64))
	}
	if s.timeout > 0 {
		all = append(all, "--timeout", s.timeout.String())
	}
	return slices.Concat(all, s.trust.flags(), s.credentials.flags())
}
