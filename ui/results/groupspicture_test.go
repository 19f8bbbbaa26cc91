package results

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/export/picture"
	"sonde/model/match"
	"sonde/model/openapi"
)

// figure1 returns the analysis of the spec in Figure 1 of the distiller paper. Values are matched as the paper does
// it.
func figure1(t *testing.T) *analysis.Analysis {
	t.Helper()
	spec, err := openapi.Load(t.Context(), filepath.Join("testdata", "figure1.yaml"), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return analysis.Analyze(spec, analysis.Options{Mode: match.PaperMode})
}

// Figure 1 of the distiller paper has two groups in frames. API_M and API_S exchange team_id. Values that come from
// outside, or that no operation takes, are drawn, too. All values are dashed boxes.
func TestFigure1(t *testing.T) {
	g := GroupsPicture(figure1(t), true, PictureLimits{Nodes: picture.MaxSVGNodes, Edges: picture.MaxSVGEdges})
	for format, write := range map[string]func(io.Writer, picture.Graph) error{
		"svg": picture.WriteSVG, "dot": picture.WriteDOT, "mmd": picture.WriteMermaid,
	} {
		t.Run(format, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b, g); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "figure1."+format)
			if *updatePage {
				if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("other than %s (look at it, then run with -update), got\n%s", path, b.String())
			}
		})
	}
}

// A picture of the exchanged values alone has only one value, team_id.
func TestGroupsPictureOfExchangedValues(t *testing.T) {
	g := GroupsPicture(figure1(t), false, PictureLimits{Nodes: DotNodes, Edges: DotEdges})
	var texts []string
	for _, n := range g.Nodes {
		texts = append(texts, n.String())
	}
	const want = "GET /user/membership; GET /team/schedule; GET /user/fee; team_id"
	if got := strings.Join(texts, "; "); got != want || len(g.Values) != 1 || !g.Values[3] || g.Note != "" {
		t.Errorf("got %s, values %v, note %q", got, g.Values, g.Note)
	}
	if len(g.Frames) != 2 || fmt.Sprint(g.Frames[0].Nodes, g.Frames[1].Nodes) != "[0 1 3] [2]" {
		t.Errorf("frames: got %+v", g.Frames)
	}
}

// If the picture has too many nodes, it leaves out some of them, and the frames of groups that have no node left. The
// note has the numbers of what is left out.
func TestGroupsPictureHasLimits(t *testing.T) {
	a := figure1(t)
	for nodes, want := range map[int]string{
		8: "2 frames, ",
		6: "2 frames, Not shown: 2 values",
		4: "2 frames, Not shown: 4 values",
		3: "2 frames, Not shown: 1 operation, 4 values",
		2: "2 frames, Not shown: 1 operation, 5 values",
	} {
		g := GroupsPicture(a, true, PictureLimits{Nodes: nodes, Edges: 100})
		if got := fmt.Sprintf("%d frames, %s", len(g.Frames), g.Note); got != want || len(g.Nodes) > nodes {
			t.Errorf("at most %d nodes: got %d, %s; want %s", nodes, len(g.Nodes), got, want)
		}
	}
}
