// Package docs has the documents that the app shows. The other documents of the folder are for readers only.
package docs

import _ "embed" // for the documents

// Glossary is the text of glossary.md.
//
//go:embed glossary.md
var Glossary string
