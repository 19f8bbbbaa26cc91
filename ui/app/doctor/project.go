package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/service"
	"sonde/ui/words"
)

// project is the configuration of the current folder.
type project struct {
	name   string // the name of the file, "" if there is none
	config config.Config
	err    error // the reason why the file cannot be read
	// url and specText are the address of the service and the spec as they are in the file, without the values of
	// variables.
	url, specText string
	// needs are the environment variables that the configuration needs, and lacks are those of them without a value.
	needs, lacks []string
}

// builds reports whether Sonde builds the service.
func (p project) builds() bool { return p.config.Service != nil && p.config.Service.Build != nil }

// readProject reads the configuration. A panic or a slow file system gives a project with an error.
func readProject(ctx context.Context, e Environment) project {
	p, err := guard(ctx, e.Limit, func(context.Context) project { return e.project() })
	if err != nil {
		return project{name: config.FileName, err: err}
	}
	return p
}

func (e Environment) project() project {
	p := project{name: config.FileName}
	c, err := e.Settings.Config(func(name string) (string, bool) {
		text, isSet := e.Variable(name)
		p.need(name, isSet)
		return text, true
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return project{}
	case err != nil:
		p.err = err
		return p
	}
	raw, err := e.Settings.Config(func(name string) (string, bool) { return "${" + name + "}", true })
	if err != nil {
		p.err = err
		return p
	}
	p.config, p.url, p.specText = c, raw.URL, raw.Spec
	e.addVariables(&p)
	return p
}

// need adds a variable that the configuration needs.
func (p *project) need(name string, isSet bool) {
	if !slices.Contains(p.needs, name) {
		p.needs = append(p.needs, name)
	}
	if !isSet && !slices.Contains(p.lacks, name) {
		p.lacks = append(p.lacks, name)
	}
}

// addVariables adds the variables of the service, the reset and the users. Secrets that are in the configuration itself
// need no variable.
func (e Environment) addVariables(p *project) {
	var texts []string
	if s := p.config.Service; s != nil {
		texts = slices.AppendSeq(texts, maps.Values(s.Env))
	}
	if r := p.config.Reset; r != nil {
		texts = slices.AppendSeq(texts, maps.Values(r.Header))
	}
	for _, text := range texts {
		for _, name := range model.SecretNames(text) {
			_, isSet := e.Variable(name)
			p.need(name, isSet)
		}
	}
	for _, u := range p.config.Users {
		for _, name := range service.SecretVariables([]model.User{u}) {
			if u.Secrets[name] == "" {
				p.need(name, e.value(name) != "")
			}
		}
	}
	slices.Sort(p.needs)
	slices.Sort(p.lacks)
}

// projectChecks returns the checks of the configuration, none if there is no file.
func (e Environment) projectChecks(p project) []examination {
	if p.name == "" {
		return nil
	}
	var all []examination
	add := func(name, purpose, onError string, examine func(context.Context) finding) {
		all = append(all, examination{
			section: Project, name: name, purpose: purpose, needed: true, examine: examine, onError: onError,
		})
	}
	add("file", "how to reach the service", fileAdvice, func(context.Context) finding { return p.file() })
	if p.err != nil {
		return all
	}
	if p.config.Spec != "" {
		add("spec", "the operations", specAdvice, func(ctx context.Context) finding { return e.spec(ctx, p) })
	}
	if len(p.needs) > 0 {
		add("variables", "secrets and settings", "", func(context.Context) finding { return p.variables() })
	}
	add("service", "what a search calls", "", func(context.Context) finding { return works(p.address()) })
	if p.builds() {
		add("build", "the package to build", buildAdvice, func(context.Context) finding {
			return e.build(p.config.Service)
		})
	}
	if name := p.program(); name != "" {
		add("start", "what starts the service", startAdvice, func(context.Context) finding {
			return e.start(p.config.Service.Dir, name)
		})
	}
	if p.config.CI.Baseline != "" {
		add("baseline", "the known faults of sonde ci", baselineAdvice, func(context.Context) finding {
			return e.baseline(p.config.CI.Baseline)
		})
	}
	return all
}

const (
	fileAdvice  = "correct the file: docs/configuration.md has its keys"
	specAdvice  = "correct spec in " + config.FileName + ", or the document: sonde check lists its problems"
	buildAdvice = "correct build and dir in " + config.FileName + ", relative to the folder of the file"
	startAdvice = "install the program, or correct the command in " + config.FileName

	baselineAdvice = "correct baseline in " + config.FileName + ", or write the file with sonde baseline --update FILE RUN"
)

func (p project) file() finding {
	if p.err != nil {
		return failed(p.err.Error(), fileAdvice)
	}
	return works("valid")
}

// spec checks that the spec can be read. A spec with a URL is not requested.
func (e Environment) spec(ctx context.Context, p project) finding {
	source := p.config.Spec
	switch {
	case source == "-":
		return works("standard input, not read")
	case isURL(source):
		return works(publicURL(p.specText) + ", not called")
	case len(p.lacks) > 0 && len(model.SecretNames(p.specText)) > 0:
		return failed(p.specText+" has a variable without a value", "set the variables that are listed here")
	}
	spec, err := e.Settings.Spec(ctx, source)
	if err != nil {
		return failed(strings.ReplaceAll(err.Error(), source, p.specText), specAdvice)
	}
	found := fmt.Sprintf("%s: %s, %s", p.specText, spec.Format, words.Plural(len(spec.Operations), "operation"))
	switch {
	case len(spec.Operations) == 0:
		return failed(found, specAdvice)
	case len(spec.Problems) > 0:
		return limited(
			found+", "+words.Plural(len(spec.Problems), "problem"), "sonde check lists the problems",
		)
	}
	return works(found)
}

// isURL reports whether a spec is requested by HTTP.
func isURL(source string) bool {
	lower := strings.ToLower(source)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

// variables checks that the variables have values. It shows only names.
func (p project) variables() finding {
	if len(p.lacks) > 0 {
		list := strings.Join(p.lacks, ", ")
		return failed("without a value: "+list, "set them in the environment: export "+p.lacks[0]+"=VALUE")
	}
	return works(strings.Join(p.needs, ", "))
}

// address describes the address of the service.
func (p project) address() string {
	s := service.Service{URL: publicURL(p.url)}
	if s.URL == "" && p.config.StartsService() {
		s.URL = "http://127.0.0.1:" + model.PortPlaceholder
	}
	if p.config.Driver != "" {
		s.Driver = &model.Driver{URL: publicURL(p.config.Driver)}
	}
	return cmp.Or(s.AddressText(), "no address: give --url when you search")
}

// urlSecrets matches the parts of a URL that may be secret: user and password, the query and the fragment.
var urlSecrets = regexp.MustCompile(`^([^/?#]*//)[^/?#]*@|[?#].*$`)

// publicURL returns a URL without the parts that may be secret. The URL may contain variables, so it need not be valid.
func publicURL(text string) string { return urlSecrets.ReplaceAllString(text, "$1") }

// build checks that the folder of the service's package has Go files.
func (e Environment) build(s *model.Service) finding {
	name := s.Build.Package
	first, _, _ := strings.Cut(name, "/")
	if !filepath.IsAbs(name) && first != "." && first != ".." {
		return limited(name+" is an import path, which only a build looks up", "sonde build tries it")
	}
	folder := filepath.FromSlash(name)
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(s.Dir, folder)
	}
	names, err := e.Files.List(folder)
	if err != nil {
		return failed(fmt.Sprintf("%s cannot be read: %v", folder, err), buildAdvice)
	}
	isSource := func(name string) bool {
		return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
	}
	if !slices.ContainsFunc(names, isSource) {
		return failed(folder+" has no Go files", buildAdvice)
	}
	return works(folder)
}

// program returns the program of the command that starts the service or its driver, "" if there is none, or if it is
// the binary that Sonde builds.
func (p project) program() string {
	s := p.config.Service
	if s == nil || len(s.Command) == 0 || strings.Contains(s.Command[0], model.BinaryPlaceholder) {
		return ""
	}
	return s.Command[0]
}

// start checks that a program exists. A relative path is relative to the folder dir.
func (e Environment) start(dir, name string) finding {
	path := name
	if strings.ContainsAny(name, `/\`) && !filepath.IsAbs(name) {
		path = "." + string(filepath.Separator) + filepath.Join(dir, name)
		if filepath.IsAbs(dir) {
			path = filepath.Join(dir, name)
		}
	}
	found, err := e.Programs.Find(path)
	if err != nil {
		return failed(fmt.Sprintf("%s cannot be started: %v", name, err), startAdvice)
	}
	return works(found)
}

// baseline checks that the known faults can be read.
func (e Environment) baseline(path string) finding {
	known, err := e.Settings.Baseline(path)
	if err != nil {
		return failed(err.Error(), baselineAdvice)
	}
	return works(path + ": " + words.Plural(len(known), "known fault"))
}
