package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// actionScript returns the script of action.yml that runs sonde ci, and the values of its variables, where only the
// inputs given are set.
func actionScript(t *testing.T, inputs map[string]string) (script string, env []string) {
	t.Helper()
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a struct {
		Inputs map[string]struct {
			Default string `yaml:"default"`
		} `yaml:"inputs"`
		Runs struct {
			Steps []struct {
				ID  string            `yaml:"id"`
				Run string            `yaml:"run"`
				Env map[string]string `yaml:"env"`
			} `yaml:"steps"`
		} `yaml:"runs"`
	}
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	for _, step := range a.Runs.Steps {
		if step.ID != "sonde" {
			continue
		}
		for name, expression := range step.Env {
			input := strings.TrimSuffix(strings.TrimPrefix(expression, "${{ inputs."), " }}")
			value, set := inputs[input]
			if !set {
				value = a.Inputs[input].Default
			}
			env = append(env, name+"="+value)
		}
		return step.Run, env
	}
	t.Fatal("no step runs sonde ci")
	return "", nil
}

// The script of action.yml passes its inputs on as they are, whatever characters they have.
func TestActionScript(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	sonde := program(t)
	for name, c := range map[string]struct {
		inputs map[string]string
		code   int
		want   string // in the output
	}{
		"the demo": {map[string]string{"flags": "--demo\n\n--seed=3\n", "calls": "200", "output": "out"}, 1, "new "},
		"bad flag": {map[string]string{"flags": "--demo", "flaky": "$(touch evil)"}, 2, `--flaky "$(touch evil)" is not known`},
		"a spec that looks like a flag": {
			map[string]string{"spec": "--help; touch evil", "url": "http://127.0.0.1:1"}, 3, "127.0.0.1:1",
		},
		"a flag with a space": {map[string]string{"flags": "--only=GET /nothing `touch evil`\n--demo"}, 2, "GET /nothing `touch evil`"},
		"lines in an output":  {map[string]string{"flags": "--demo", "output": "a\nfolder=b", "calls": "100"}, 0, "new "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			script, env := actionScript(t, c.inputs)
			cmd := exec.Command(bash, "--noprofile", "--norc", "-c", script)
			cmd.Dir = dir
			outputs := filepath.Join(dir, "outputs")
			cmd.Env = append(os.Environ(), append(env, "GITHUB_OUTPUT="+outputs, "PATH="+filepath.Dir(sonde)+":"+os.Getenv("PATH"))...)
			out, _ := cmd.CombinedOutput()
			if got := cmd.ProcessState.ExitCode(); got != c.code || !strings.Contains(string(out), c.want) {
				t.Errorf("exit code %d, want %d and %q in\n%s", got, c.code, c.want, out)
			}
			if _, err := os.Stat(filepath.Join(dir, "evil")); err == nil {
				t.Error("a command in an input was run")
			}
			if said, _ := os.ReadFile(outputs); strings.Count(string(said), "\n") != 1 || !strings.HasPrefix(string(said), "folder=./") {
				t.Errorf("outputs are %q", said)
			}
		})
	}
}
