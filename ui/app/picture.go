package app

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sonde/export/picture"
	"sonde/ui/app/paths"
	"sonde/ui/app/usecase"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/results"
)

// drawPicture writes the graph of a screen to a file, in the format of its extension.
func drawPicture(path string, p usecase.GraphPicture, force bool) error {
	format, err := pictureFormat(path)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil && !force {
		return fmt.Errorf("%q exists: %w", path, fs.ErrExist)
	}
	g := pictureOf(p)
	var b bytes.Buffer
	switch format {
	case "svg":
		err = picture.WriteSVG(&b, g)
	case "dot":
		err = picture.WriteDOT(&b, g)
	default:
		err = picture.WriteMermaid(&b, fewer(g))
	}
	if err != nil {
		return err
	}
	return paths.WriteFile(path, b.Bytes())
}

// pictureFormat returns the format of a picture's file.
func pictureFormat(path string) (string, error) {
	var known []string
	for _, e := range results.PictureEndings {
		if e.Format == "text" || e.Format == "json" {
			continue
		}
		known = append(known, e.Ext)
		if strings.EqualFold(e.Ext, filepath.Ext(path)) {
			return e.Format, nil
		}
	}
	return "", fmt.Errorf("%q has no extension of a picture: use %s", path, console.JoinWithOr(known))
}

func pictureOf(p usecase.GraphPicture) picture.Graph {
	g := picture.Graph{Title: draw.Clean(p.Title), Values: p.Values, Note: p.Note}
	for _, box := range p.Boxes {
		var n picture.Node
		for _, line := range box {
			n = append(n, picture.Line{Method: draw.Clean(line.Method), Text: draw.Clean(line.Text)})
		}
		g.Nodes = append(g.Nodes, n)
	}
	for _, a := range p.Arrows {
		g.Edges = append(g.Edges, picture.Edge{From: a.From, To: a.To, Values: results.CleanTexts(a.Values), Dashed: a.Dashed})
	}
	for _, f := range p.Frames {
		g.Frames = append(g.Frames, picture.Frame{Title: draw.Clean(f.Title), Nodes: f.Boxes})
	}
	return g
}

// fewer removes the arrows after the first picture.MaxMermaidEdges, and adds their number to the note.
func fewer(g picture.Graph) picture.Graph {
	if more := len(g.Edges) - picture.MaxMermaidEdges; more > 0 {
		g.Edges = g.Edges[:picture.MaxMermaidEdges]
		g.Note = strings.TrimSpace(fmt.Sprintf("%s %d more arrows are left out.", g.Note, more))
	}
	return g
}
