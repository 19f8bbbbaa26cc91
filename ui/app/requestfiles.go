package app

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sonde/model"
	"sonde/ui/app/collection"
	"sonde/ui/app/command"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/app/usecase"
)

// requestFiles reads and writes the .http files of the project.
type requestFiles struct {
	session *session
	logins  *loginManager

	mu sync.Mutex // held while files are read or written
}

// all returns the functions for the screens, none for the demo, which is no project.
func (r *requestFiles) all() usecase.RequestFiles {
	if r.session.options.Source == service.DemoSource {
		return usecase.RequestFiles{}
	}
	return usecase.RequestFiles{Stamp: r.stamp, Load: r.load, Save: r.save}
}

// folder returns the folder with the files: that beside the configuration file or, if there is none, beside the spec or
// in the current folder, whichever exists.
func (r *requestFiles) folder() string {
	source, now := r.session.options.Source, r.session.state()
	switch {
	case now.config.Path != "":
		return filepath.Join(filepath.Dir(now.config.Path), collection.Folder)
	case source == "-" || strings.Contains(source, "://"):
		return collection.Folder
	}
	beside := filepath.Join(filepath.Dir(source), collection.Folder)
	if !paths.Exists(beside) && paths.Exists(collection.Folder) {
		return collection.Folder
	}
	return beside
}

// stamp returns a text that changes when the files change.
func (r *requestFiles) stamp() string {
	all, err := collection.HTTPFiles(r.folder())
	if err != nil {
		return err.Error()
	}
	return paths.FileStamp(all)
}

// service returns the service that the requests call.
func (r *requestFiles) service(now openSpec) collection.Service {
	s := collection.Service{
		Spec:  now.spec,
		URL:   command.WithoutCredentials(cmp.Or(now.url, now.config.URL)),
		Users: now.service.Users,
	}
	for _, e := range now.config.Environments {
		s.Others = append(s.Others, e.URL)
	}
	return s
}

// values returns the function that has the values of variables that a file does not have. Those of the configuration
// stay variables, because another environment has other values.
func (r *requestFiles) values(now openSpec) func(name string) (string, bool) {
	return func(name string) (string, bool) {
		if _, ok := now.config.Variables[name]; ok {
			return "${" + name + "}", true
		}
		return os.LookupEnv(name)
	}
}

// load reads the files.
func (r *requestFiles) load() (usecase.RequestFolder, error) {
	folder := usecase.RequestFolder{Path: r.folder()}
	now := r.session.state()
	if now.spec == nil {
		return folder, nil
	}
	r.mu.Lock()
	files, err := r.service(now).LoadFolder(folder.Path, r.values(now))
	r.mu.Unlock() // adding users waits for a call in progress
	if err != nil {
		return folder, err
	}
	var added []model.User
	for _, f := range files {
		folder.Files = append(folder.Files, requestFile(f))
		for _, u := range f.Users {
			if lacking(u) == "" {
				added = append(added, u)
			}
		}
	}
	if len(added) == 0 || now.service.URL == "" {
		return folder, nil
	}
	if err := r.logins.addFromFiles(added); err != nil {
		return folder, err
	}
	folder.Users = r.logins.names()
	return folder, nil
}

// requestFile returns a file for the screens. A test whose user lacks a secret is a problem.
func requestFile(f collection.File) usecase.RequestFile {
	file := usecase.RequestFile{Path: f.Path}
	for i, t := range f.Tests {
		line := f.Lines[f.Requests[i][0]]
		if name, user := missingSecret(t, f.Users); name != "" {
			file.Problems = append(file.Problems, model.Problem{Line: line, Text: fmt.Sprintf(
				"%q needs the secret {{%s}}: set the environment variable %s before Sonde starts, or add a user with it (%s)",
				t.Name, name, name, user,
			)})
			continue
		}
		file.Seqs = append(file.Seqs, usecase.FileSeq{Name: f.Names[i], Line: line, Test: t})
	}
	for _, p := range f.Problems {
		text := p.Why
		if p.Request != "" {
			text = fmt.Sprintf("%q is left out: %s", p.Request, p.Why)
		}
		file.Problems = append(file.Problems, model.Problem{Line: p.Line, Text: text})
	}
	slices.SortStableFunc(file.Problems, func(a, b model.Problem) int { return a.Line - b.Line })
	return file
}

// missingSecret returns the first secret that a user of a test lacks, and how the user authenticates. Other users than
// those of the file lack none.
func missingSecret(t model.Test, users []model.User) (name, how string) {
	for _, call := range t.Calls {
		for _, u := range users {
			if missing := lacking(u); u.Name == call.User && missing != "" {
				return missing, credentialKind(u)
			}
		}
	}
	return "", ""
}

// lacking returns the first secret of a user of a file that has no value, "" if all have one.
func lacking(u model.User) string {
	for _, c := range u.Sends {
		for _, name := range model.SecretNames(c.Value) {
			if u.Secrets[name] == "" && strings.TrimSpace(os.Getenv(name)) == "" {
				return name
			}
		}
	}
	return ""
}

// save writes the requests of a test to a file.
func (r *requestFiles) save(s usecase.SavedRequest, force bool) (usecase.SaveResult, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.session.state()
	if now.spec == nil {
		return usecase.SaveResult{}, errNoSpec
	}
	saved, err := r.service(now).Save(r.folder(), collection.NewTest{
		File: s.File, Name: s.Name, Test: s.Test, Files: s.Files,
	}, force, r.values(now))
	if err != nil {
		return usecase.SaveResult{}, err
	}
	result := usecase.SaveResult{Path: saved.Path, Name: saved.Name, Replaced: saved.Replaced, Notes: saved.Notes}
	if !saved.Replaced {
		result.Command = appendCommand(saved.Path, saved.Appended)
	}
	for _, secret := range saved.Secrets {
		result.Variables = append(result.Variables, secret.Variable)
	}
	return result, nil
}

// appendCommand returns the command line that appends a text to a file, "" for no text.
func appendCommand(path, text string) string {
	const end = "END_OF_REQUEST"
	if text == "" || strings.Contains(text, end) {
		return ""
	}
	mkdir := commandLine("mkdir", "-p", filepath.Dir(path))
	return mkdir + " && cat >> " + command.Quote(path) + " <<'" + end + "'\n" + text + end
}
