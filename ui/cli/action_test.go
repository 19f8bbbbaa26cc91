package cli

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sonde/ui/console"

	"go.yaml.in/yaml/v4"
)

// action is the part of action.yml that the tests read.
type action struct {
	Inputs map[string]struct {
		Description string `yaml:"description"`
		Default     string `yaml:"default"`
	} `yaml:"inputs"`
	Runs struct {
		Steps []struct {
			ID    string            `yaml:"id"`
			Shell string            `yaml:"shell"`
			Run   string            `yaml:"run"`
			Env   map[string]string `yaml:"env"`
		} `yaml:"steps"`
	} `yaml:"runs"`
}

func readAction(t *testing.T) (a action) {
	t.Helper()
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// ownInputs are the inputs of action.yml that are no flags of sonde ci.
var ownInputs = []string{"spec", "flags", "working-directory", "version", "artifact", "sarif", "category"}

// Each input of action.yml is a flag of sonde ci, or one of ownInputs, and the script passes on each flag.
func TestActionInputs(t *testing.T) {
	a := readAction(t)
	flags := newCI(console.Streams{}).Flags()
	script := ""
	for _, step := range a.Runs.Steps {
		if step.ID == "sonde" {
			script = step.Run
		}
	}
	passed := regexp.MustCompile(`for flag in ([a-z -]+); do`).FindStringSubmatch(script)
	if passed == nil {
		t.Fatal("no step passes flags on")
	}
	var want []string
	for name, input := range a.Inputs {
		if input.Description == "" {
			t.Errorf("the input %s has no description", name)
		}
		if slices.Contains(ownInputs, name) {
			continue
		}
		want = append(want, name)
		if flags.Lookup(name) == nil {
			t.Errorf("the input %s is no flag of sonde ci", name)
		}
	}
	got := strings.Fields(passed[1])
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the script passes %v on, want %v", got, want)
	}
	if a.Inputs["output"].Default != flags.Lookup("output").DefValue {
		t.Errorf("the default of output is %q", a.Inputs["output"].Default)
	}
}

// Inputs reach the scripts of action.yml only as environment variables: a script with an expression could be made to run
// what an input says.
func TestActionScriptsHaveNoExpressions(t *testing.T) {
	scripts := 0
	for _, step := range readAction(t).Runs.Steps {
		if step.Run == "" {
			continue
		}
		scripts++
		if strings.Contains(step.Run, "${{") || step.Shell != "bash" {
			t.Errorf("a script in %s has an expression:\n%s", step.Shell, step.Run)
		}
		for name, value := range step.Env {
			flag := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "SONDE_"), "_", "-"))
			used := strings.Contains(step.Run, name) || strings.Contains(step.Run, " "+flag+" ") || strings.Contains(step.Run, " "+flag+";")
			if !used && name != "GH_TOKEN" {
				t.Errorf("no script uses %s, which is %s", name, value)
			}
		}
	}
	if scripts != 2 {
		t.Errorf("%d scripts, want 2", scripts)
	}
}

// The flags in the job for GitLab exist.
func TestGitLabJobFlags(t *testing.T) {
	data, err := os.ReadFile("../../docs/ci/gitlab.yml")
	if err != nil {
		t.Fatal(err)
	}
	var job map[string]struct {
		Script []string `yaml:"script"`
	}
	if err := yaml.Unmarshal(data, &job); err != nil {
		t.Fatal(err)
	}
	flags := newCI(console.Streams{}).Flags()
	found := regexp.MustCompile(`set -- (?:"\$@" )?--([a-z-]+)`).FindAllStringSubmatch(strings.Join(job[".sonde"].Script, "\n"), -1)
	for _, m := range found {
		if flags.Lookup(m[1]) == nil {
			t.Errorf("--%s is no flag of sonde ci", m[1])
		}
	}
	if len(found) < 5 {
		t.Errorf("the script has the flags %v", found)
	}
}
