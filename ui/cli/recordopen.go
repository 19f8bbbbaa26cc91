package cli

import (
	"errors"

	"sonde/model"
	"sonde/ui/app/service"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

// open reads the configuration and the spec, and finds the service.
func (f *recordFlags) open(c *cobra.Command, s console.Streams) (*model.Spec, error) {
	var operand []string
	if f.Spec != "" {
		operand = []string{f.Spec}
	}
	switch {
	case f.Demo && f.Credentials.IsSet():
		return nil, service.ErrDemoUsers
	case f.Demo:
		return f.openDemo(c)
	}
	var err error
	f.Config, err = readConfig(c, s.Err, operand)
	if err != nil {
		return nil, err
	}
	if err := joinCredentials(c.Context(), s, &f.Credentials, &f.Config.Config); err != nil {
		return nil, err
	}
	f.TLSOptions.Configure(c.Flags().Changed, f.Config.Config)
	f.TLSConfig, err = f.TLSOptions.TLSConfig()
	f.FetchTLS = f.TLSConfig
	if err != nil {
		return nil, err
	}
	if f.Spec == "" {
		f.Spec = f.Config.Spec
		if f.Spec == "" {
			return nil, errors.New("no spec: name it with --spec; --demo has one of its own")
		}
	}
	spec, err := f.Load(c.Context(), s, f.Spec)
	if err != nil {
		return nil, err
	}
	f.Service = service.Service{
		Users:        f.Config.Users,
		Reset:        f.Config.Reset,
		StartCommand: service.WithoutProbes(f.Config.Service),
		URL:          f.Config.URL,
	}
	return spec, nil
}

func (f *recordFlags) openDemo(c *cobra.Command) (*model.Spec, error) {
	if f.Spec != "" || c.Flags().Changed("config") || c.Flags().Changed("env") {
		return nil, errors.New("--demo has its own spec and users: leave out --spec, --config and --env")
	}
	f.Spec, f.Service = service.DemoSource, service.DemoAt("")
	if len(f.In) == 0 && len(f.Command) == 0 && !f.Network.On {
		served, err := service.StartDemo(c.Context(), 1)
		if err != nil {
			return nil, err
		}
		f.Service.URL = served.URL
	}
	return service.LoadDemo(c.Context())
}
