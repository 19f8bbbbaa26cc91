package report

import (
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
		g.headers = g.headers[:g.dim]
		for i, row := range g.rows {
			g.rows[i] = row[:g.dim]
		}
		text = g.draw()
	}
	return theme.Strong.Render(g.title) + "\n" + trimmed(text)
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
