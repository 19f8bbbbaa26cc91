package depend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/openapi"
)

// bindings returns the links of a template as one line. Each link is written as "to.input<from". to and from are the
// indices of the two calls. input is the location of the input.
func bindings(t model.Template) string {
	var list []string
	for _, l := range t.Links {
		place := l.Header + l.Pointer
		if l.Param != "" {
			place = "=" + l.Param
		}
		list = append(list, fmt.Sprintf("%d.%s<%d%s", l.To, l.Name, l.From, place))
	}
	return strings.Join(list, " ")
}

func TestBinding(t *testing.T) {
	page := func() *model.Schema { return with(object("number"), "author", codeHostUser()) }
	more := slices.Concat(codeHost(), []*model.Operation{
		op("GET /user", answer("200", codeHostUser())),
		op("POST /commits", answer("201", object("text"))),
		op("GET /commits/{commit}", answer("200", object("text"))),
		op("GET /pages", answer("200", list(page()))),
	})
	tests := []struct{ name, seq, want string }{
		{"a value of another name", "GET /user, GET /repos/{owner}/{repo}", "1.owner<0/login"},
		{
			"the owner comes with the repository", "GET /user, POST /user/repos, GET /repos/{owner}/{repo}",
			"2.owner<1/owner/login 2.repo<1/id",
		},
		{
			"the owner of what the earlier call took", "POST /user/repos, POST /repos/{owner}/{repo}/issues, GET /user, " +
				"GET /repos/{owner}/{repo}/issues/{number}",
			"1.owner<0/owner/login 1.repo<0/id 3.owner<0/owner/login 3.repo<0/id 3.number<1/number",
		},
		{
			"the same element, which no call creates", "GET /repos/{owner}/{repo}, POST /repos/{owner}/{repo}/issues",
			"1.owner<0=owner 1.repo<0=repo",
		},
		{"a new element whose answer lacks the id", "POST /commits, GET /commits/{commit}", "1.commit<0"},
		{"one that is only mentioned", "GET /pages, GET /users/{login}", "1.login<0/0/author/login"},
		{"a created one before a mentioned one", "POST /user/repos, GET /teams, GET /teams/{slug}", "2.slug<1/0/slug"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := bindings(plannerOf(&model.Spec{Operations: more}).ConnectSeq(seq(tt.seq)))
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A seq with the operations of a path binds its inputs in the same way as the path. Each step of a path except the
// last provides a value to another step.
func TestPathsAreBoundAsSeqs(t *testing.T) {
	spec, err := openapi.Parse(t.Context(), "shop.json", demo.Specification(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, ops := range [][]*model.Operation{spec.Operations, codeHost(), shop()} {
		p := plannerOf(&model.Spec{Operations: ops})
		for _, op := range ops {
			for _, path := range p.Paths(op.ID, 5) {
				if got, want := bindings(path.Template()), bindings(p.ConnectSeq(path.Seq)); got != want {
					t.Errorf("%s: the path has %s, the seq %s", showPath(path), got, want)
				}
				for i, step := range path.Seq[:len(path.Seq)-1] {
					if !slices.ContainsFunc(path.Passes, func(s Pass) bool { return s.From == i }) {
						t.Errorf("%s: %s gives nothing", showPath(path), step)
					}
				}
			}
		}
	}
}

// A link of a template comes from the same call as the link of a seq with the same steps.
func TestTemplatesAreBoundAsSeqs(t *testing.T) {
	spec, err := openapi.Parse(t.Context(), "shop.json", demo.Specification(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, ops := range [][]*model.Operation{spec.Operations, codeHost(), shop()} {
		p := plannerOf(&model.Spec{Operations: ops})
		for _, template := range p.Templates() {
			var s model.Seq
			for _, step := range template.Steps {
				s = append(s, step.Op)
			}
			links := p.ConnectSeq(s).Links
			for _, l := range template.Links {
				same := func(o model.Link) bool { return o.To == l.To && o.In == l.In && o.Name == l.Name }
				if i := slices.IndexFunc(links, same); i >= 0 && (links[i].From != l.From || links[i].Param != l.Param) {
					t.Errorf("%s: the seq has %+v", show(template), links[i])
				}
			}
		}
	}
}

// In a template, the place of a value in an answer is only a hint, unless the document declares a link.
func TestHintsOfTemplates(t *testing.T) {
	var got []string
	for _, template := range plannerOf(&model.Spec{Operations: codeHost()}).Templates() {
		for _, l := range template.Links {
			if template.Target() == "DELETE /teams/{slug}/repos/{owner}/{repo}" && l.To == len(template.Steps)-1 && l.IsOpen() {
				got = append(got, fmt.Sprintf("%s: %s of %s", l.Name, l.Hint, template.Steps[l.From].Op))
			}
		}
	}
	want := []string{"slug: /0/slug of GET /teams", "owner: /owner/login of POST /user/repos", "repo: /id of POST /user/repos"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func BenchmarkConnectSeq(b *testing.B) {
	p := plannerOf(&model.Spec{Operations: codeHost()})
	s := seq("POST /user/repos, POST /repos/{owner}/{repo}/issues, GET /repos/{owner}/{repo}/issues/{number}")
	for b.Loop() {
		p.ConnectSeq(s)
	}
}
