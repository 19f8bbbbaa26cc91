package report

import (
	"strings"

	"sonde/ui/theme"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/lipgloss/table"
)

// grid is a table with a title. Its first column has words, and the others have numbers.
type grid struct {
	title   string
	headers []string
	rows    [][]string
	dim     int // index of the first column with numbers of the distiller paper; len(headers) for none
}

// render returns the table. It leaves out the columns with the numbers of the distiller paper if they do not fit.
func (g grid) render(width int) string {
	text := g.draw()
	if lipgloss.Width(text) > width {
		text = g.columns(1, g.dim).draw()
	}
	return theme.Strong.Render(g.title) + "\n" + trimmed(text)
}

// renderFolded returns the table. If the table is too wide, the columns that do not fit are in further tables below
// it. Each of these tables repeats the first column.
func (g grid) renderFolded(width int) string {
	parts := []string{theme.Strong.Render(g.title)}
	for from := 1; from < len(g.headers); {
		to := len(g.headers)
		for to > from+1 && lipgloss.Width(g.columns(from, to).draw()) > width {
			to--
		}
		parts = append(parts, trimmed(g.columns(from, to).draw()))
		from = to
	}
	return strings.Join(parts, "\n")
}

// columns returns a grid that has only the first column and the columns [from, to).
func (g grid) columns(from, to int) grid {
	part := grid{headers: append([]string{g.headers[0]}, g.headers[from:to]...), dim: g.dim}
	for _, row := range g.rows {
		part.rows = append(part.rows, append([]string{row[0]}, row[from:to]...))
	}
	return part
}

func (g grid) draw() string {
	return table.New().Headers(g.headers...).Rows(g.rows...).StyleFunc(g.style).
		Border(lipgloss.NormalBorder()).BorderStyle(theme.Dim.Lipgloss()).
		BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).BorderColumn(false).Render()
}

func (g grid) style(row, column int) lipgloss.Style {
	s := theme.Plain
	switch {
	case row == table.HeaderRow || column >= g.dim:
		s = theme.Dim
	case column > 0:
		s = theme.Accent
	}
	if column == 0 {
		return s.Lipgloss()
	}
	return s.Lipgloss().PaddingLeft(2).Align(lipgloss.Right)
}
