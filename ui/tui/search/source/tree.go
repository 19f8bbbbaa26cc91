package source

import (
	"cmp"
	"path"
	"slices"

	"sonde/model"
	"sonde/ui/widget"
)

// tree is the list of files, grouped by package. While the coverage of a run increases, the files keep their order.
// The files are sorted again when the user changes the order, or folds or unfolds a package.
type tree struct {
	list        widget.List
	rows        []row
	byUncovered bool            // files with the most uncovered statements come first
	folded      map[string]bool // packages whose files are not shown
}

// row is a package or a file.
type row struct {
	name  string
	files []int // the index of the file, or the indexes of all files of the package
	head  bool  // the row is a package
}

// file returns the index of the file under the cursor, none for a package.
func (t *tree) file() int {
	if t.list.At >= len(t.rows) || t.rows[t.list.At].head {
		return none
	}
	return t.rows[t.list.At].files[0]
}

// first moves the cursor to the second row, which is a file unless the package above it is folded. On the way, the
// cursor visits the first row, so that the list scrolls to the package.
func (t *tree) first() {
	t.list.Go(0)
	t.list.Go(1)
}

// arrange lists the files in order. The cursor stays on its row if that row is still listed.
func (t *tree) arrange(reach *model.SourceCoverage) {
	var was row
	if t.list.At < len(t.rows) {
		was = t.rows[t.list.At]
	}
	t.rows = nil
	if reach == nil {
		return
	}
	for _, p := range t.packages(reach) {
		t.rows = append(t.rows, p)
		if t.folded[p.name] {
			continue
		}
		for _, f := range p.files {
			t.rows = append(t.rows, row{name: path.Base(reach.Files[f].Name), files: []int{f}, head: false})
		}
	}
	t.list.Rows = len(t.rows)
	same := func(r row) bool { return r.head == was.head && slices.Equal(r.files, was.files) }
	if at := slices.IndexFunc(t.rows, same); at >= 0 {
		t.list.Go(at)
	}
}

// packages returns the rows of the packages, with their files in order.
func (t *tree) packages(reach *model.SourceCoverage) (all []row) {
	at := map[string]int{}
	for i, f := range reach.Files {
		p, known := at[f.Package]
		if !known {
			p = len(all)
			at[f.Package] = p
			all = append(all, row{name: f.Package, head: true})
		}
		all[p].files = append(all[p].files, i)
	}
	slices.SortStableFunc(all, func(a, b row) int {
		return cmp.Or(t.compare(reach, a.files, b.files), cmp.Compare(a.name, b.name))
	})
	for _, p := range all {
		slices.SortStableFunc(p.files, func(a, b int) int {
			return cmp.Or(t.compare(reach, []int{a}, []int{b}), cmp.Compare(reach.Files[a].Name, reach.Files[b].Name))
		})
	}
	return all
}

// compare orders files by the number of uncovered statements if byUncovered is set. Otherwise it returns 0.
func (t *tree) compare(reach *model.SourceCoverage, a, b []int) int {
	if !t.byUncovered {
		return 0
	}
	left := func(files []int) int {
		statements, _ := figures(reach, files)
		return statements.All - statements.Covered
	}
	return left(b) - left(a)
}

// figures returns the coverage of the statements and of the branches in all of the files.
func figures(reach *model.SourceCoverage, files []int) (statements, branches model.CoverageCount) {
	for _, i := range files {
		f := reach.Reached[i]
		statements.Covered += f.Statements.Covered
		statements.All += f.Statements.All
		branches.Covered += f.Branches.Covered
		branches.All += f.Branches.All
	}
	return statements, branches
}

// fold hides the files of the package under the cursor, or shows them.
func (t *tree) fold(reach *model.SourceCoverage) {
	name := t.rows[t.list.At].name
	folded := map[string]bool{name: !t.folded[name]}
	for other, is := range t.folded {
		if other != name {
			folded[other] = is
		}
	}
	t.folded = folded
	t.arrange(reach)
}
