package screen

// TermLister is a Screen that lists the terms that it shows now, such as abbreviations in the titles of columns. The
// help page begins with their explanations.
type TermLister interface {
	// Terms returns names of docs/glossary.md, in the order in which they are explained.
	Terms() []string
}
