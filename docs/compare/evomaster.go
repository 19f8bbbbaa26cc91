package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// evomaster returns EvoMaster in its black-box mode. program is evomaster.jar, or a program that accepts
// its flags.
func evomaster(program string) (tool, error) {
	find, run := absolute, []string(nil)
	if filepath.Ext(program) == ".jar" {
		find, run = filepath.Abs, []string{"java", "-jar"}
	}
	file, err := find(program)
	if err != nil {
		return tool{}, noEvoMaster(err)
	}
	version, err := fingerprint(nil, file)
	if err != nil {
		return tool{}, noEvoMaster(err)
	}
	return tool{name: "EvoMaster", version: version, command: evomasterRun(append(run, file))}, nil
}

func noEvoMaster(err error) error {
	return fmt.Errorf("there is no EvoMaster (%w): build it, and name its jar with -em", err)
}

// mostHeaders is the maximum number of headers that EvoMaster can send with each request.
const mostHeaders = 3

// evomasterRun returns the command of EvoMaster for a run. The URL in it has no base path, because EvoMaster
// adds the base path of the spec.
func evomasterRun(run []string) func(target, job) ([]string, error) {
	return func(t target, j job) ([]string, error) {
		c := slices.Concat(run, []string{
			"--blackBox", "true", "--bbSwaggerUrl", "file://" + t.spec, "--bbTargetUrl", t.url,
			"--stoppingCriterion", "ACTION_EVALUATIONS", "--maxEvaluations", strconv.Itoa(j.requests),
			"--seed", strconv.Itoa(j.seed), "--outputFormat", "PYTHON_UNITTEST", "--showProgress", "false",
		})
		headers := single(t.users)
		if len(headers) > mostHeaders {
			return nil, fmt.Errorf("EvoMaster can send %d headers, the user has %d", mostHeaders, len(headers))
		}
		for n, h := range headers {
			c = append(c, "--header"+strconv.Itoa(n), strings.Replace(h, ": ", ":", 1))
		}
		if len(t.users) < 2 {
			return c, nil
		}
		text, err := yaml.Marshal(map[string]any{"auth": credentials(t.users)})
		if err != nil {
			return nil, err
		}
		config := filepath.Join(t.dir, "em.yaml")
		return append(c, "--configPath", config), os.WriteFile(config, text, 0o600)
	}
}
