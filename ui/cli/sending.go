package cli

import (
	"sonde/ui/app/service"

	"github.com/spf13/cobra"
)

func addSending(c *cobra.Command, s *service.RequestOptions) {
	addCredentials(c, &s.Credentials)
	fl := c.Flags()
	fl.Float64Var(&s.Rate, "rate", 0, "send at most this many requests a second, such as 20 or 0.5 (default: no limit)")
	fl.DurationVar(&s.Timeout, "timeout", 0, "give up a call after this duration (default 10s)")
	addTrust(c, &s.TLSOptions)
}
