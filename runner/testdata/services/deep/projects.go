package main

import (
	"regexp"
	"slices"

	"sonde/runner/testdata/services/serve"
)

// project belongs to an organisation. Nothing can be created in an archived project.
type project struct {
	ID     int    `json:"projectId"`
	Key    string `json:"key"`
	Title  string `json:"title"`
	Status string `json:"status"`

	boards shelf[board]
}

var projectKey = regexp.MustCompile(`^[A-Z]{2,4}$`)

type newProject struct {
	Key   *string `json:"key"`
	Title *string `json:"title"`
}

func (n newProject) check() error {
	return serve.Check(
		serve.Rule{Holds: n.Key != nil && projectKey.MatchString(*n.Key), Text: "key: must be 2 to 4 capital letters"},
		serve.Rule{Holds: serve.Text(n.Title, 1, 80), Text: "title: must have 1 to 80 characters"},
	)
}

func (w *work) listProjects(c *serve.Call) (serve.Answer, error) {
	o, err := w.org(c)
	if err != nil {
		return serve.Answer{}, err
	}
	return serve.OK(o.projects.sorted())
}

func (w *work) createProject(c *serve.Call) (serve.Answer, error) {
	o, err := w.org(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in newProject
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	switch {
	case slices.ContainsFunc(o.projects.sorted(), func(p *project) bool { return p.Key == *in.Key }):
		return serve.Answer{}, conflict("key: is taken")
	case o.Plan == "free" && len(o.projects) > 0:
		return serve.Answer{}, unfit("the free plan has one project")
	}
	p := &project{w.next(), *in.Key, *in.Title, "active", shelf[board]{}}
	o.projects[p.ID] = p
	return serve.Created(p, "/orgs/%d/projects/%d", o.ID, p.ID)
}

func (w *work) getProject(c *serve.Call) (serve.Answer, error) {
	p, err := w.project(c)
	if err != nil {
		return serve.Answer{}, err
	}
	shown := *p
	// F03: an archived project has a status of the first version of the API, which the spec does
	// not have.
	if c.Fault("F03", p.Status == "archived") {
		shown.Status = "frozen"
	}
	return serve.OK(shown)
}

type projectChange struct {
	Title    *string `json:"title"`
	Archived *bool   `json:"archived"`
}

func (n projectChange) check() error {
	return serve.Check(
		serve.Rule{Holds: n.Title == nil || serve.Text(n.Title, 1, 80), Text: "title: must have 1 to 80 characters"},
		serve.Rule{Holds: n.Title != nil || n.Archived != nil, Text: "title, archived: one of them must be given"},
	)
}

func (w *work) patchProject(c *serve.Call) (serve.Answer, error) {
	p, err := w.project(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in projectChange
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	if in.Title != nil && p.Status == "archived" && !(in.Archived != nil && !*in.Archived) {
		return serve.Answer{}, unfit("the project is archived")
	}
	p.Title = serve.Or(in.Title, p.Title)
	if in.Archived != nil {
		p.Status = map[bool]string{true: "archived", false: "active"}[*in.Archived]
	}
	return serve.OK(p)
}

func (w *work) deleteProject(c *serve.Call) (serve.Answer, error) {
	p, err := w.project(c)
	if err != nil {
		return serve.Answer{}, err
	}
	boards := 0
	for _, b := range p.boards {
		if !b.deleted {
			boards++
		}
	}
	return remove(w.orgs[c.ID("orgId")].projects, p.ID, boards)
}
