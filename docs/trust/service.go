package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"sonde/docs/launch"
)

// service is a service under trial. Run and Env may have placeholders:
//
//   - {port}: a free port
//   - {tools}: the folder of tools
//   - {dir}: the folder of the list
//   - {data}: a folder for the service's data, which is empty for a new copy
type service struct {
	Name   string            `yaml:"name"`
	Config string            `yaml:"config"` // sonde.yaml, relative to the list
	Run    []string          `yaml:"run"`
	Env    map[string]string `yaml:"env"`
	Ready  string            `yaml:"ready"` // a path that answers once the service is ready
	Base   string            `yaml:"base"`  // path after host and port in the searched URL
	// Secrets has the values for ${NAME} in the configuration. They are not confidential, because they
	// belong to test services.
	Secrets map[string]string `yaml:"secrets"`
	// Planted are the known faults of the service, as "GET /path oracle".
	Planted []string `yaml:"planted"`

	dir, tools string
}

// readServices reads a list of services from a YAML file. tools is the folder of the tools that services start.
func readServices(file, tools string) ([]service, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all struct {
		Services []service `yaml:"services"`
	}
	if err := yaml.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	tools, err = filepath.Abs(tools)
	if err != nil {
		return nil, err
	}
	for i := range all.Services {
		s := &all.Services[i]
		if s.Name == "" || len(s.Run) == 0 || s.Config == "" {
			return nil, fmt.Errorf("%s: service %d needs a name, a config and a run", file, i+1)
		}
		s.dir, s.tools = dir, tools
	}
	return all.Services, nil
}

// secrets returns the environment of this process with the service's secrets added.
func (s service) secrets() []string {
	env := os.Environ()
	for name, value := range s.Secrets {
		env = append(env, name+"="+value)
	}
	return env
}

// writeConfig writes the service's configuration to a file, with an absolute path of the spec. mode says
// whether it includes the reset.
func (s service) writeConfig(to, mode string) error {
	from := filepath.Join(s.dir, s.Config)
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var config map[string]any
	if err := yaml.Unmarshal(data, &config); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if spec, ok := config["spec"].(string); ok {
		config["spec"] = filepath.Join(filepath.Dir(from), spec)
	}
	if mode == withoutReset {
		delete(config, "reset")
	}
	data, err = yaml.Marshal(config)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// process is a running copy of a service.
type process struct {
	*launch.Process
	url string
}

// start starts the service and waits until it answers. data is the folder of its data.
func (s service) start(ctx context.Context, data, log string) (process, error) {
	ports, err := launch.FreePorts(1)
	if err != nil {
		return process{}, err
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return process{}, err
	}
	port := strconv.Itoa(ports[0])
	fill := strings.NewReplacer("{port}", port, "{tools}", s.tools, "{dir}", s.dir, "{data}", data)
	args := make([]string, len(s.Run))
	for i, arg := range s.Run {
		args[i] = fill.Replace(arg)
	}
	env := s.secrets()
	for name, value := range s.Env {
		env = append(env, name+"="+fill.Replace(value))
	}
	url := "http://127.0.0.1:" + port
	p, err := launch.Start(ctx, launch.Service{Run: args, Env: env, Dir: s.dir, Ready: url + s.Ready, Log: log})
	return process{p, url}, err
}
